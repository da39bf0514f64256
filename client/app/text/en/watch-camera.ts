/** The texts of the camera of a watch. */
export const cameraTexts = {
  take: (step: string) => `Photo of ${step}`,
  saving: 'Saving the photo…',
  saved: 'Photo saved',
};

/** The example of docs/react.md, which the bundle of the trials serves. */
declare module 'virtual:guide-example';

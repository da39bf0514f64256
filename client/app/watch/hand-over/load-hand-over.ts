/** The screens of the hand-over, which load when a person needs them. */
export type HandOverScreen = typeof import('./watch-hand-over.tsx').HandOverScreen;

export async function loadHandOverScreen(): Promise<HandOverScreen> {
  const [{ HandOverScreen }, { loadRelayTexts }] = await Promise.all([
    import('./watch-hand-over.tsx'),
    import('../../text/relay/watch-relay.ts'),
  ]);
  await loadRelayTexts();
  return HandOverScreen;
}

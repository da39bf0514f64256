/**
 * Recognises the banner that RxDB's free Dexie storage prints once a process. It is the one message that a test run
 * hides.
 */
export function isRxdbBanner(log: string): boolean {
  return banner.test(log.trim());
}

const banner = /^-+ RxDB Open Core RxStorage -+\nYou are using the free Dexie\.js based RxStorage .*\n(?:.*\n){4}-+$/;

/**
 * Returns the milliseconds from `now` until a throttle window of this many hours has just begun. Windows begin at fixed
 * times, so a test that needs all its requests in one window waits until then.
 */
export function untilWindow(hours: number, now: Date = new Date()): number {
  const windowMs = hours * 3_600_000
  return windowMs - (now.getTime() % windowMs) + 1_000
}

import type { Locator } from 'playwright-core'
import { until } from '../streaming/streams.ts'

/** Waits until an element has the focus, which React may move after an element has disappeared. */
export async function untilFocused(locator: Locator): Promise<void> {
  await until(
    () => locator.evaluate((element) => element === element.ownerDocument.activeElement),
    `the focus on ${String(locator)}`,
  )
}

/** Waits until a button is pressed or is not. */
export async function untilPressed(locator: Locator, isPressed: boolean): Promise<void> {
  await until(
    async () => (await locator.getAttribute('aria-pressed')) === String(isPressed),
    `pressed: ${isPressed} of ${String(locator)}`,
  )
}

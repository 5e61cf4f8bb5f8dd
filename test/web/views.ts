import type { Page } from 'playwright-core'
import { checkPage } from '../http/pages/check-page.ts'
import { visit } from './visit.ts'

/** A window and the theme of the browser. */
export interface View {
  width: number
  height: number
  theme: 'light' | 'dark'
}

export const NARROW: View = { width: 320, height: 900, theme: 'dark' }
export const WIDE: View = { width: 1280, height: 900, theme: 'light' }

/** Changes the window and the theme of an open page, and waits until the page has the layout for them. */
export async function changeView(page: Page, { width, height, theme }: View): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme })
  // Listeners of media queries run before the first of these frames.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
}

/**
 * Checks the accessibility and the width of an open page in each view. Loading the page for each view would take twice
 * the processor time.
 */
export async function checkViews(page: Page, name: string, views: readonly View[] = [NARROW, WIDE]): Promise<void> {
  for (const view of views) {
    await changeView(page, view)
    await untilLoaded(page)
    const isNarrowToo = views.every(({ width }) => width > NARROW.width)
    await checkPage(page, `${name} in a window of ${view.width} pixels`, { isNarrowToo })
  }
}

/**
 * Opens pages of the client, and checks each in all views when it has its content. Each page is opened in the view in
 * which the previous page was left.
 */
export async function checkPages(
  page: Page,
  paths: readonly string[],
  views: readonly [View, ...View[]] = [NARROW, WIDE],
): Promise<void> {
  let order: readonly View[] = views
  await changeView(page, views[0])
  for (const path of paths) {
    await visit(page, path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await untilLoaded(page)
    await checkViews(page, path, order)
    order = order.toReversed()
  }
}

/** Waits until the grey shapes of what is loading have disappeared. */
async function untilLoaded(page: Page): Promise<void> {
  await page.locator('[role="status"] > .unseen').first().waitFor({ state: 'detached' })
}

import type { Browser, Page } from 'playwright-core'

/**
 * Opens a browser window with JavaScript disabled, because the pages must work without it. It also accepts the
 * certificates of tests.
 */
export async function openWindow(browser: Browser, { origin }: { origin: string }): Promise<Page> {
  const context = await browser.newContext({
    baseURL: origin,
    javaScriptEnabled: false,
    locale: 'en-GB',
    ignoreHTTPSErrors: true,
  })
  return context.newPage()
}

/** Fills the fields of the page's form by their names, submits it, and waits for the next page. */
export async function submit(
  page: Page,
  { fields = {}, button }: { fields?: Record<string, string | true>; button: string | RegExp },
): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    const field = page.locator(`main [name="${name}"]`)
    if (value === true) await field.check()
    else await field.fill(value)
  }
  await Promise.all([page.waitForEvent('load'), page.locator('main').getByRole('button', { name: button }).click()])
}

export async function heading(page: Page): Promise<string> {
  return (await page.locator('h1').first().innerText()).trim()
}

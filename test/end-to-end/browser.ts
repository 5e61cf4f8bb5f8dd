import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Returns the path of the system's Chromium, or null if it is not installed. */
function findChromium(): string | null {
  return CHROMIUM.find((path) => existsSync(path)) ?? null
}

/** The browser must not send requests beyond this machine. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === null) throw new Error('Chromium is not installed (Debian: apt-get install chromium)')
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox', ...QUIET] : QUIET })
}

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

import { writeFile } from 'node:fs/promises'
import { openBrowser } from '../services/browser.ts'

/**
 * The browser that the clients open: logs in the user of `SIGN_IN_EMAIL` at the URL in the first argument, allows the
 * app, and writes the code of the page to `SIGN_IN_CODE_FILE`.
 */
const [, , address = ''] = process.argv
const { SIGN_IN_EMAIL = '', SIGN_IN_PASSWORD = '', SIGN_IN_CODE_FILE = '' } = process.env

const browser = await openBrowser()
try {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled: false, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(address)
  await page.locator('main [name="login"]').fill(SIGN_IN_EMAIL)
  await page.locator('main [name="password"]').fill(SIGN_IN_PASSWORD)
  await page.locator('main form:has([name="password"]) button[type="submit"]').click()
  await page.locator('main button[name="decision"][value="allow"]').click()
  await writeFile(SIGN_IN_CODE_FILE, await page.locator('#code').inputValue())
} finally {
  await browser.close()
}

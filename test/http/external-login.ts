import assert from 'node:assert/strict'
import { createProviderBrowser } from '../services/login/provider-browser.ts'
import type { TestServer } from '../servers/test-server.ts'
import { createBrowser, uniqueAddressHeaders } from './browser.ts'
import type { Browser, PageResponse } from './browser.ts'

/** Presses the button of a provider on the log-in page. Returns the URL of the provider to which it leads. */
export async function startExternalLogin(
  browser: Browser,
  { provider, next }: { provider: string; next?: string },
): Promise<URL> {
  const page = await browser.get(
    next === undefined ? '/auth/sign_in' : `/auth/sign_in?${new URLSearchParams({ next }).toString()}`,
  )
  const answer = await browser.submit(page, `/auth/auth/${provider}`, {}, uniqueAddressHeaders())
  assert.equal(answer.status, 303, answer.text)
  return new URL(answer.location!)
}

/** Logs in at a provider and returns to the server. Returns the browser and the response to the callback. */
export async function logInExternally(
  { server }: Pick<TestServer, 'server'>,
  { provider, next, browser = createBrowser(server) }: { provider: string; next?: string; browser?: Browser },
): Promise<{ browser: Browser; response: PageResponse; callback: string }> {
  const start = await startExternalLogin(browser, { provider, ...(next !== undefined && { next }) })
  const callbackUrl = await createProviderBrowser({ origin: start.origin }).visit(start.href)
  const callback = callbackUrl.pathname + callbackUrl.search
  const response = await browser.get(callback, uniqueAddressHeaders())
  return { browser, response, callback }
}

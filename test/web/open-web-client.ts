import type { BrowserContext, Page } from 'playwright-core'
import { openSession } from '../../src/domain/auth/sessions.ts'
import { findPort } from '../servers/linnet-process.ts'
import { openTestServer } from '../servers/test-server.ts'
import type { TestServer, TestServerOptions, TestUser } from '../servers/test-server.ts'
import { openSharedBrowser } from '../services/browser.ts'
import type { SharedBrowser } from '../services/browser.ts'
import { createContextPool } from './client-contexts.ts'
import { changeView, WIDE } from './views.ts'
import type { View } from './views.ts'

/** The URL of the WebSocket. */
export const STREAM = /\/api\/v1\/streaming/

/** A server that listens on this machine, and a browser. */
export interface WebClientTest {
  testServer: TestServer
  /** The URL of the server. */
  origin: string
  browser: SharedBrowser
  /**
   * Opens the web client in a browser context of its own, in which the user is logged in. Errors of its scripts fail the
   * test.
   */
  openClient(
    user: TestUser,
    options?: Partial<View> & {
      path?: string
      /** Installs the service worker, which needs a third of the processor time of a short test. */
      hasServiceWorker?: boolean
      /** Called before the first request, which waits for it. */
      onPage?: (page: Page) => unknown
    },
  ): Promise<Page>
  close(): Promise<void>
}

/** Returns an option of `openClient`, and when the page of that client has subscribed to a stream. */
export function watchSubscription(): { onPage: (page: Page) => void; subscribed: Promise<void> } {
  const { promise: subscribed, resolve } = Promise.withResolvers<void>()
  const onPage = (page: Page) => void page.on('websocket', (socket) => void socket.on('framesent', () => resolve()))
  return { onPage, subscribed }
}

/** Starts a server and a browser for tests of the web client. */
export async function openWebClientTest(options: TestServerOptions = {}): Promise<WebClientTest> {
  const port = await findPort()
  const testServer = await openTestServer({
    ...options,
    env: { LOCAL_DOMAIN: `localhost:${port}`, PORT: port, ...options.env },
  })
  await testServer.listen()
  const origin = `http://localhost:${port}`
  const browser = await openSharedBrowser()
  const errors: Error[] = []
  const { width, height, theme } = WIDE
  const look = { viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce', locale: 'en-GB' } as const
  const createPool = (serviceWorkers: 'allow' | 'block') =>
    createContextPool({
      browser,
      options: { ...look, baseURL: origin, serviceWorkers },
      onError: (error) => errors.push(error),
    })
  const [contexts, contextsWithServiceWorker] = [createPool('block'), createPool('allow')]
  return {
    testServer,
    origin,
    browser,
    async openClient(user, { path = '/home', hasServiceWorker = false, onPage, ...view } = {}) {
      const page = await (hasServiceWorker ? contextsWithServiceWorker : contexts).openPage()
      if (Object.keys(view).length > 0) await changeView(page, { ...WIDE, ...view })
      await logIn(page.context(), { testServer, origin, user })
      await onPage?.(page)
      await page.goto(path)
      return page
    },
    async close() {
      await browser.close()
      await testServer.close()
      if (errors.length > 0) throw new AggregateError(errors, 'The web client had errors')
    },
  }
}

async function logIn(
  context: BrowserContext,
  { testServer, origin, user }: { testServer: TestServer; origin: string; user: TestUser },
): Promise<void> {
  const { userId } = user
  const id = await testServer.ctx.write((tx) => openSession(tx, { userId, browser: { ip: null, userAgent: '' } }))
  await context.addCookies([{ name: 'linnet-session', value: id, url: origin, httpOnly: true, sameSite: 'Lax' }])
}

import { openSession } from '../../src/domain/auth/sessions.ts'
import type { TestServer } from '../servers/test-server.ts'
import { createBrowser } from './browser.ts'
import type { Browser } from './browser.ts'

/** Opens a session of a user, and returns its id. */
export async function openUserSession(
  { ctx }: Pick<TestServer, 'ctx'>,
  { userId }: { userId: string },
): Promise<string> {
  return ctx.write((tx) => openSession(tx, { userId, browser: { ip: null, userAgent: '' } }))
}

/** Returns a browser in which a user is logged in, without the log-in page, which hashes a password. */
export async function openBrowserSession(
  { ctx, server }: Pick<TestServer, 'ctx' | 'server'>,
  { userId }: { userId: string },
): Promise<Browser> {
  const browser = createBrowser(server)
  browser.cookies.set('__Host-linnet-session', await openUserSession({ ctx }, { userId }))
  return browser
}

import { openSession } from '../../src/domain/auth/sessions.ts'
import type { TestServer } from '../servers/test-server.ts'
import { createBrowser } from './browser.ts'
import type { Browser } from './browser.ts'

/** Returns a browser in which a user is logged in, without the log-in page, which hashes a password. */
export async function openBrowserSession(
  { ctx, server }: Pick<TestServer, 'ctx' | 'server'>,
  { userId }: { userId: string },
): Promise<Browser> {
  const browser = createBrowser(server)
  const id = await ctx.write((tx) => openSession(tx, { userId, browser: { ip: null, userAgent: '' } }))
  browser.cookies.set('__Host-linnet-session', id)
  return browser
}

import { sql } from 'kysely'
import type { Browser, BrowserContext } from 'playwright-core'
import { generateSecret, hashSecret } from '../../src/lib/secrets.ts'
import type { BenchStage } from '../setup/open-stage.ts'

/** Opens a context without caches, in which the user of an account is logged in. Service workers hide requests from routes. */
export async function openContext(
  browser: Browser,
  { db, origin }: BenchStage,
  { accountId, serviceWorkers = 'allow' }: { accountId: string; serviceWorkers?: 'allow' | 'block' },
): Promise<BrowserContext> {
  const id = generateSecret()
  await sql`
    insert into sessions (id_hash, user_id, user_agent, created_at, last_used_at, authenticated_at, expires_at)
    select ${hashSecret(id)}::bytea, id, '', now(), now(), now(), now() + interval '1 day' from users
    where account_id = ${accountId}`.execute(db)
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 900 }, serviceWorkers })
  await context.addCookies([{ name: 'linnet-session', value: id, url: origin, httpOnly: true, sameSite: 'Lax' }])
  return context
}

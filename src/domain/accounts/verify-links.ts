import { extractUrls } from '../../lib/text/extract.ts'
import { findMeLinks } from '../../lib/text/findMeLinks.ts'
import { statement } from '../../platform/db/statement.ts'
import { FetchFailed, FetchRefused } from '../../platform/fetch/refusals.ts'
import type { Ctx } from '../context.ts'
import { refuseHost } from '../moderation/refuse-host.ts'

/** As much of a page as is read. */
const MAX_BYTES = 1_048_576
const TIMEOUT_MS = 10_000
const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i

interface Linked {
  url: string
  uri: string
  fields: { name: string; value: string; verified_at: string | null }[]
}

const find = statement<{ params: { accountId: string }; row: Linked }>(
  `select a.url, a.uri, a.fields from accounts a join users u on u.account_id = a.id
   where a.id = $accountId and a.domain is null and a.suspended_at is null and u.confirmed_at is not null
     and u.approved`,
)
const lock = statement<{ params: { accountId: string }; row: { fields: Linked['fields'] } }>(
  `select fields from accounts where id = $accountId for no key update`,
)
const keep = statement<{ params: { accountId: string; fields: string } }>(
  `update accounts set fields = $fields::jsonb, version = version + 1 where id = $accountId`,
)

/**
 * Effect: looks whether the pages that somebody's profile links to link back to it with `rel="me"`, and notes when that
 * was seen. What was seen once is not asked again as long as the link stays. A page that does not answer is asked again
 * when the profile changes.
 */
export async function verifyLinks(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [account] = await find(ctx.db, { accountId })
  if (!account) return
  const links = new Set(account.fields.filter(isUnproven).map(({ value }) => value))
  const proven = new Set<string>()
  // One after the other: a job that needs several places at once may never get them.
  for (const link of links) if (await linksBack(ctx, { link, account })) proven.add(link)
  if (proven.size === 0) return
  await ctx.write(async (tx) => {
    // Meanwhile the profile may have changed again.
    const [now] = await lock(tx.db, { accountId })
    if (!now?.fields.some((field) => isUnproven(field) && proven.has(field.value))) return
    const seen = tx.now.toISOString()
    const fields = now.fields.map((field) => (proven.has(field.value) ? { ...field, verified_at: seen } : field))
    await keep(tx.db, { accountId, fields: JSON.stringify(fields) })
  })
}

/** Whether a field is nothing but one address that could be asked, and was not seen to link back. */
function isUnproven({ value, verified_at }: Linked['fields'][number]): boolean {
  if (verified_at !== null || !/^https:\/\/[^\s/]/i.test(value)) return false
  // The whole value is the link that is shown: nothing beside it turns or hides what it says.
  if (extractUrls(value)[0]?.url !== value) return false
  const url = URL.parse(value)
  return url !== null && url.username === '' && url.password === ''
}

async function linksBack(ctx: Ctx, { link, account }: { link: string; account: Linked }): Promise<boolean> {
  try {
    const page = await ctx.fetcher.request({
      url: link,
      accept: 'text/html',
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      background: { sender: 'profile links' },
      // Asked before every hop, so it is the one place that sees where each of them leads.
      sign: async (request) => {
        await refuseHop(ctx, { link, hop: request.url })
        return {}
      },
    })
    if (page.status !== 200 || !HTML.test(page.headers['content-type'] ?? '')) return false
    const own = new Set([comparable(account.url), comparable(account.uri)])
    return findMeLinks(page.body.toString(), { pageUrl: page.url }).some((href) => own.has(comparable(href)))
  } catch (err) {
    if (!(err instanceof FetchRefused) && !(err instanceof FetchFailed)) throw err
    ctx.log.debug({ err, account: account.uri }, 'a link of a profile could not be looked at')
    return false
  }
}

/**
 * A page elsewhere proves nothing about the link that led there: any site that redirects wherever one likes would seem
 * to be one's own. Of a site with and without `www.` it does not matter which is linked.
 * @throws FetchRefused
 */
async function refuseHop(ctx: Ctx, { link, hop }: { link: string; hop: string }): Promise<void> {
  await refuseHost(ctx, { url: hop })
  if (siteOf(hop) !== siteOf(link)) throw new FetchRefused('redirects', hop)
}

function siteOf(url: string): string {
  return new URL(url).host.replace(/^www\./, '')
}

/** Addresses are the same whatever their case, with or without a slash at the end and a place on the page. */
function comparable(url: string): string {
  return url.replace(/#.*$/s, '').replace(/\/$/, '').toLowerCase()
}

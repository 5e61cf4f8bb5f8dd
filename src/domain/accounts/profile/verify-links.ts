import { extractUrls } from '../../../lib/text/entities/extract-entities.ts'
import { findRelMeLinks } from '../../../lib/text/entities/find-rel-me-links.ts'
import { statement } from '../../../platform/db/statement.ts'
import { FetchFailedError, FetchRefusedError } from '../../../platform/fetch/fetch-errors.ts'
import type { Ctx } from '../../context.ts'
import { checkHostAllowed } from '../../domain-blocks/check-host-allowed.ts'

/** How much of a page is read. A larger one verifies nothing. */
const MAX_BYTES = 1_048_576
const TIMEOUT_MS = 10_000
const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i

interface ProfileLinks {
  url: string
  uri: string
  fields: { name: string; value: string; verified_at: string | null }[]
}

const find = statement<{ params: { accountId: string }; row: ProfileLinks }>(
  `select a.url, a.uri, a.fields from accounts a join users u on u.account_id = a.id
   where a.id = $accountId and a.domain is null and a.suspended_at is null and u.confirmed_at is not null
     and u.approved`,
)
const lock = statement<{ params: { accountId: string }; row: { fields: ProfileLinks['fields'] } }>(
  `select fields from accounts where id = $accountId for no key update`,
)
const updateFields = statement<{ params: { accountId: string; fields: string } }>(
  `update accounts set fields = $fields::jsonb, version = version + 1 where id = $accountId`,
)

/**
 * Effect: fetches the pages that a local account's profile fields link to, and records the time of verification for
 * those that link back with `rel="me"`. A verified link is not fetched again while the field stays. A link that could
 * not be verified is fetched again when the profile changes.
 */
export async function verifyLinks(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [account] = await find(ctx.db, { accountId })
  if (!account) return
  const links = new Set(account.fields.filter(isUnverifiedLink).map(({ value }) => value))
  const verified = new Set<string>()
  // One after the other: a job that waits for several request slots at once could wait forever.
  for (const link of links) if (await hasBacklink(ctx, { link, account })) verified.add(link)
  if (verified.size === 0) return
  await ctx.write(async (tx) => {
    // The profile may have changed during the requests.
    const [current] = await lock(tx.db, { accountId })
    if (!current?.fields.some((field) => isUnverifiedLink(field) && verified.has(field.value))) return
    const verifiedAt = tx.now.toISOString()
    const fields = current.fields.map((field) =>
      verified.has(field.value) ? { ...field, verified_at: verifiedAt } : field,
    )
    await updateFields(tx.db, { accountId, fields: JSON.stringify(fields) })
  })
}

/** Returns whether a field is not verified and its whole value is one https URL without credentials. */
function isUnverifiedLink({ value, verified_at }: ProfileLinks['fields'][number]): boolean {
  if (verified_at !== null || !/^https:\/\/[^\s/]/i.test(value)) return false
  // The whole value must be the link that readers see: other text beside it could misrepresent what was verified.
  if (extractUrls(value)[0]?.url !== value) return false
  const url = URL.parse(value)
  return url !== null && url.username === '' && url.password === ''
}

async function hasBacklink(ctx: Ctx, { link, account }: { link: string; account: ProfileLinks }): Promise<boolean> {
  try {
    const page = await ctx.fetcher.request({
      url: link,
      accept: 'text/html',
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      background: { sender: 'profile links' },
      // Called before the first request and every redirect, so that each URL is checked.
      sign: async (request) => {
        await checkRedirect(ctx, { link, hop: request.url })
        return {}
      },
    })
    if (page.status !== 200 || !HTML.test(page.headers['content-type'] ?? '')) return false
    const own = new Set([comparableUrl(account.url), comparableUrl(account.uri)])
    return findRelMeLinks(page.body.toString(), { pageUrl: page.url }).some((href) => own.has(comparableUrl(href)))
  } catch (err) {
    if (!(err instanceof FetchRefusedError) && !(err instanceof FetchFailedError)) throw err
    ctx.log.debug({ err, account: account.uri }, 'Could not fetch a link of a profile')
    return false
  }
}

/**
 * Refuses redirects to another site: otherwise a link to any site with an open redirect could be verified by a page of
 * one's own. The same host with and without `www.` counts as one site.
 * @throws FetchRefusedError
 */
async function checkRedirect(ctx: Ctx, { link, hop }: { link: string; hop: string }): Promise<void> {
  await checkHostAllowed(ctx, { url: hop })
  if (siteOf(hop) !== siteOf(link)) throw new FetchRefusedError('redirects', hop)
}

function siteOf(url: string): string {
  return new URL(url).host.replace(/^www\./, '')
}

/** Returns a URL in lower case, without fragment and trailing slash. */
function comparableUrl(url: string): string {
  return url.replace(/#.*$/s, '').replace(/\/$/, '').toLowerCase()
}

import type { Ctx } from '../../../domain/context.ts'
import { filterVisibleStatuses } from '../../../domain/access/find-visible-statuses.ts'
import { filterPubliclyVisible } from '../../../domain/access/publicly-visible.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { renderStatuses } from '../../../render/statuses/render-statuses.ts'
import { parseEntity } from '../../../lib/json/json-content.ts'

interface PublicStatusesInput {
  ids: readonly string[]
  /** The reader of the page; null without a log-in. */
  viewer: Viewer | null
}

/**
 * Returns those of the statuses that are publicly visible, rendered for an anonymous viewer, in the order of the ids.
 * All public pages, feeds and previews get their statuses from here.
 */
export async function renderPublicStatuses(ctx: Ctx, { ids, viewer }: PublicStatusesInput): Promise<Status[]> {
  const shownIds = await filterShown(ctx, { ids, viewer })
  const statuses = (await ctx.read(renderStatuses, { ids: shownIds, viewerId: null })).map((json) => parseEntity(json))
  return removeHiddenQuotes(ctx, { statuses, viewer })
}

/**
 * Returns those of the statuses that a page may show. Where pages are for users only, nobody can read them by logging
 * out, so the blocks of authors apply, as in the API.
 */
async function filterShown(ctx: Ctx, { ids, viewer }: PublicStatusesInput): Promise<string[]> {
  const publicIds = await filterPubliclyVisible(ctx, { ids })
  if (viewer === null || !ctx.config.access.disallowUnauthenticatedAccess) return publicIds
  return ctx.read(filterVisibleStatuses, { ids: publicIds, viewerId: viewer.accountId })
}

/** Removes quotes whose quoted status a page may not show. A quoted status never shows a quote of its own. */
async function removeHiddenQuotes(
  ctx: Ctx,
  { statuses, viewer }: { statuses: Status[]; viewer: Viewer | null },
): Promise<Status[]> {
  const quotedIds = statuses.flatMap((status) => quotedId(status.reblog ?? status) ?? [])
  const publicIds = new Set(await filterShown(ctx, { ids: [...new Set(quotedIds)], viewer }))
  const withPublicQuote = (status: Status): Status => {
    const id = quotedId(status)
    return { ...status, ...(id !== null && publicIds.has(id) ? {} : { quote: null }) }
  }
  return statuses.map((status) =>
    status.reblog ? { ...withPublicQuote(status), reblog: withPublicQuote(status.reblog) } : withPublicQuote(status),
  )
}

function quotedId({ quote }: Status): string | null {
  return (quote && 'quoted_status' in quote && quote.quoted_status?.id) || null
}

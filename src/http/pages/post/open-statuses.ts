import type { Ctx } from '../../../domain/context.ts'
import { keepOpen } from '../../../domain/statuses/open.ts'
import type { Status } from '../../../entities/status.ts'
import { renderStatuses } from '../../../render/statuses.ts'

/**
 * Of these statuses, those that the whole world may read, as somebody unknown sees them, in the order of the ids. Every
 * page, feed and preview gets what it shows from here.
 */
export async function openStatuses(ctx: Ctx, { ids }: { ids: readonly string[] }): Promise<Status[]> {
  const open = await keepOpen(ctx, { ids })
  const statuses = (await renderStatuses(ctx, { ids: open, viewerId: null })).map((json) => JSON.parse(json) as Status)
  return withOpenQuotes(ctx, statuses)
}

/** What is quoted has to be for the whole world as well; of a quote inside of a quote nothing is shown. */
async function withOpenQuotes(ctx: Ctx, statuses: Status[]): Promise<Status[]> {
  const quoted = statuses.flatMap((status) => quotedId(status.reblog ?? status) ?? [])
  const open = new Set(await keepOpen(ctx, { ids: [...new Set(quoted)] }))
  const judged = (status: Status): Status => {
    const id = quotedId(status)
    return { ...status, ...(id !== null && open.has(id) ? {} : { quote: null }) }
  }
  return statuses.map((status) =>
    status.reblog ? { ...judged(status), reblog: judged(status.reblog) } : judged(status),
  )
}

function quotedId({ quote }: Status): string | null {
  return (quote && 'quoted_status' in quote && quote.quoted_status?.id) || null
}

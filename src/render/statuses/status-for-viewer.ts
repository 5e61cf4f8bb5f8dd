import type { Collection } from '../../entities/accounts/collection.ts'
import type { PreviewCard } from '../../entities/statuses/card.ts'
import type { FilterResult } from '../../entities/accounts/filter.ts'
import type { Status, StatusForViewer } from '../../entities/statuses/status.ts'
import type { Complete } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import type { Config } from '../../platform/config/config.ts'
import { pollForViewer } from '../polls/render-polls.ts'
import { renderQuoteApproval } from './quotes.ts'
import type { RecordedRow, StatusRecord } from './status-records.ts'
import type { ViewerState } from '../../domain/access/viewer-states.ts'

/** The fields of a status for a viewer, without the author and the statuses nested in it. */
export type OwnFields = Omit<StatusForViewer, 'account' | 'reblog' | 'quote'>

/** The data of the viewer-specific fields of a status. */
export interface Viewing {
  /** null for anonymous. */
  viewerId: string | null
  /** The state towards the `subject`. */
  state: ViewerState | undefined
  /** The choices in the poll of the status itself. */
  choices: number[] | null
  filtered: EntityJson<FilterResult[]> | undefined
  card: EntityJson<PreviewCard> | null
  collections: Collection[]
}

/** Returns the fields of a status for a viewer. `subject`: the reblogged status of a reblog, else the status itself. */
export function statusForViewer(
  config: Config,
  { record: { row }, subject, viewing }: { record: StatusRecord; subject: StatusRecord; viewing: Viewing },
): Complete<OwnFields> {
  const { viewerId, state, choices, filtered, card, collections } = viewing
  const isUser = viewerId !== null
  const quoter = isUser && state ? { id: viewerId, relations: state } : null
  return {
    // Authors see what they chose, as in the status that they edit.
    sensitive: row.sensitive || (row.author_sensitized && row.account_id !== viewerId),
    card,
    tagged_collections: collections,
    poll: row.poll && pollForViewer(config, { poll: row.poll, emojis: row.emojis, viewerId, choices }),
    application: applicationForViewer(row, viewerId),
    quote_approval: renderQuoteApproval(subject, quoter),
    favourited: isUser ? state?.favourited === true : undefined,
    reblogged: isUser ? state?.reblogged === true : undefined,
    muted: isUser ? state?.muted === true : undefined,
    bookmarked: isUser ? state?.bookmarked === true : undefined,
    filtered,
    pinned: isPinnableBy(row, viewerId) ? row.pinned : undefined,
  }
}

/** Null for reblogs and for remote statuses, absent for other viewers if the author hides it. */
function applicationForViewer(
  { application, account_id }: RecordedRow,
  viewerId: string | null,
): Status['application'] {
  if (application === null) return null
  if (!application.public && account_id !== viewerId) return undefined
  return { name: application.name, website: application.website }
}

function isPinnableBy({ account_id, reblog_of_id, visibility }: RecordedRow, viewerId: string | null): boolean {
  return account_id === viewerId && reblog_of_id === null && visibility !== 'direct'
}

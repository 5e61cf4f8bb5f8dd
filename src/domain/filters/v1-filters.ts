import { UnprocessableError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { checkTitle, filterExpiry } from './check-filter.ts'
import { findFilter, findKeyword } from './find-filter.ts'
import type { FilterRow } from './find-filter.ts'
import { changeKeywords } from './change-keywords.ts'
import { recordFilterChange } from './record-filter-change.ts'
import { changeFilter, createFilter } from './write-filter.ts'

/** A filter with one keyword, as in version 1 of the API, where a filter has the id of its keyword. */
export interface V1FilterAttributes {
  phrase?: string | undefined
  contexts?: readonly string[] | undefined
  /** Whether matching statuses are hidden completely instead of shown with a warning. */
  irreversible?: boolean | undefined
  wholeWord?: boolean | undefined
  /** In seconds from now; 0 = never, below 0 = it has expired. */
  expiresInSeconds?: number | undefined
}

const findKeywords = statement<{ params: { filterId: string }; row: { id: string } }>(
  `select id from filter_keywords where filter_id = $filterId`,
)
const removeEmpty = statement<{ params: { filterId: string } }>(
  `delete from filters where id = $filterId
     and not exists (select from filter_keywords where filter_id = $filterId)
     and not exists (select from filter_statuses where filter_id = $filterId)`,
)

/**
 * Creates a filter with one keyword, which is also its title. Returns the ids of the filter and of the keyword.
 * Mastodon: POST /api/v1/filters
 * @throws ValidationError; UnprocessableError as `checkFilterLimits`
 */
export async function createV1Filter(
  tx: Tx,
  { accountId, attributes }: { accountId: string; attributes: V1FilterAttributes },
): Promise<{ filterId: string; keywordId: string }> {
  const { phrase = '', contexts, irreversible, wholeWord, expiresInSeconds } = attributes
  checkTitle(phrase, 'phrase')
  const filterId = await createFilter(tx, {
    accountId,
    attributes: {
      title: phrase,
      contexts,
      action: irreversible === true ? 'hide' : 'warn',
      expiresInSeconds,
      keywords: [{ keyword: phrase, wholeWord }],
    },
  })
  const [row] = await findKeywords(tx.db, { filterId })
  return { filterId, keywordId: row!.id }
}

/**
 * Changes a keyword and, if it is the only one of its filter, the filter too. Returns the id of the filter.
 * Mastodon: PUT /api/v1/filters/:id
 * @throws NotFoundError also for another account's keyword; ValidationError; UnprocessableError if the change would
 *   also affect other keywords of the filter
 */
export async function updateV1Filter(
  tx: Tx,
  { accountId, id, attributes }: { accountId: string; id: string; attributes: V1FilterAttributes },
): Promise<{ filterId: string }> {
  const { phrase, contexts, irreversible, wholeWord, expiresInSeconds } = attributes
  if (phrase !== undefined) checkTitle(phrase, 'phrase')
  await recordFilterChange(tx, { accountId })
  const { filter_id: filterId, keyword: oldPhrase } = await findKeyword(tx, { id, accountId })
  const before = await findFilter(tx, { id: filterId, accountId })
  const isOnlyKeyword = (await findKeywords(tx.db, { filterId })).length === 1
  if (!isOnlyKeyword && affectsWholeFilter(before, { attributes, now: tx.now })) {
    throw new UnprocessableError(
      'These parameters belong to a filter with several keywords; change it by a newer client',
    )
  }
  await changeFilter(tx, {
    accountId,
    before,
    attributes: {
      // The title changes only if it is equal to the keyword.
      title: isOnlyKeyword && before.title === oldPhrase ? phrase : undefined,
      contexts: isOnlyKeyword ? contexts : undefined,
      action: actionOf(before, irreversible),
      expiresInSeconds: isOnlyKeyword ? expiresInSeconds : undefined,
      keywords: [{ id, keyword: phrase, wholeWord }],
    },
  })
  return { filterId }
}

/**
 * Removes a keyword, and its filter if that is empty then. Mastodon: DELETE /api/v1/filters/:id
 * @throws NotFoundError also for another account's keyword
 */
export async function removeV1Filter(tx: Tx, { accountId, id }: { accountId: string; id: string }): Promise<void> {
  await recordFilterChange(tx, { accountId })
  const { filter_id: filterId } = await findKeyword(tx, { id, accountId })
  await changeKeywords(tx, { filterId, changes: [{ id, remove: true }] })
  await removeEmpty(tx.db, { filterId })
}

function affectsWholeFilter(
  before: FilterRow,
  { attributes, now }: { attributes: V1FilterAttributes; now: Date },
): boolean {
  const { contexts, irreversible, expiresInSeconds: seconds } = attributes
  const changesContexts =
    contexts !== undefined && new Set(contexts).symmetricDifference(new Set(before.contexts)).size > 0
  const changesExpiry = seconds !== undefined && (before.expires_at !== null || filterExpiry({ now, seconds }) !== null)
  return changesContexts || changesExpiry || actionOf(before, irreversible) !== before.action
}

/** Returns the action of a filter. Version 1 of the API only distinguishes whether statuses are hidden. */
function actionOf({ action }: FilterRow, irreversible: boolean | undefined): FilterRow['action'] {
  if (irreversible === undefined || irreversible === (action === 'hide')) return action
  return irreversible ? 'hide' : 'warn'
}

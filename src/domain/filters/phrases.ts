import { Unprocessable } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { checkTitle, expiryOf } from './check-filter.ts'
import { findFilter, findKeyword } from './find.ts'
import type { FilterRow } from './find.ts'
import { changeKeywords } from './keywords.ts'
import { noteFilterChange } from './note-change.ts'
import { changeFilter, createFilter } from './write.ts'

/** A filter with one keyword, as the first version of the API knows filters; it goes by the keyword's id. */
export interface PhraseTraits {
  phrase?: string | undefined
  contexts?: readonly string[] | undefined
  /** Posts are left out instead of folded. */
  irreversible?: boolean | undefined
  wholeWord?: boolean | undefined
  /** From now; 0 = for good, below 0 = it has ended. */
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

/** Makes a filter of one keyword, by whose name it goes. Returns the keyword's id. @throws ValidationFailed */
export async function createPhrase(
  tx: Tx,
  { accountId, traits }: { accountId: string; traits: PhraseTraits },
): Promise<{ filterId: string; keywordId: string }> {
  const { phrase = '', contexts, irreversible, wholeWord, expiresInSeconds } = traits
  checkTitle(phrase, 'phrase')
  const filterId = await createFilter(tx, {
    accountId,
    traits: {
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
 * Changes a keyword and, if it is the only one of its filter, that filter as well. Returns the filter's id.
 * @throws NotFound also for somebody else's · ValidationFailed · Unprocessable when the filter has other keywords, for
 * which it would change as well
 */
export async function updatePhrase(
  tx: Tx,
  { accountId, id, traits }: { accountId: string; id: string; traits: PhraseTraits },
): Promise<{ filterId: string }> {
  const { phrase, contexts, irreversible, wholeWord, expiresInSeconds } = traits
  if (phrase !== undefined) checkTitle(phrase, 'phrase')
  await noteFilterChange(tx, { accountId })
  const { filter_id: filterId, keyword: oldPhrase } = await findKeyword(tx, { id, accountId })
  const before = await findFilter(tx, { id: filterId, accountId })
  const isAlone = (await findKeywords(tx.db, { filterId })).length === 1
  if (!isAlone && wouldChange(before, { traits, now: tx.now })) {
    throw new Unprocessable('These parameters belong to a filter with several keywords; change it by a newer client')
  }
  await changeFilter(tx, {
    accountId,
    before,
    traits: {
      // A filter that was given a name of its own keeps it.
      title: isAlone && before.title === oldPhrase ? phrase : undefined,
      contexts: isAlone ? contexts : undefined,
      action: actionOf(before, irreversible),
      expiresInSeconds: isAlone ? expiresInSeconds : undefined,
      keywords: [{ id, keyword: phrase, wholeWord }],
    },
  })
  return { filterId }
}

/** Removes a keyword, and its filter when nothing else is in it. @throws NotFound also for somebody else's */
export async function removePhrase(tx: Tx, { accountId, id }: { accountId: string; id: string }): Promise<void> {
  await noteFilterChange(tx, { accountId })
  const { filter_id: filterId } = await findKeyword(tx, { id, accountId })
  await changeKeywords(tx, { filterId, changes: [{ id, remove: true }] })
  await removeEmpty(tx.db, { filterId })
}

function wouldChange(before: FilterRow, { traits, now }: { traits: PhraseTraits; now: Date }): boolean {
  const { contexts, irreversible, expiresInSeconds: seconds } = traits
  const moves = contexts !== undefined && new Set(contexts).symmetricDifference(new Set(before.contexts)).size > 0
  const ends = seconds !== undefined && (before.expires_at !== null || expiryOf({ now, seconds }) !== null)
  return moves || ends || actionOf(before, irreversible) !== before.action
}

/** The first version of the API knows one thing about actions: whether posts are left out. */
function actionOf({ action }: FilterRow, irreversible: boolean | undefined): FilterRow['action'] {
  if (irreversible === undefined || irreversible === (action === 'hide')) return action
  return irreversible ? 'hide' : 'warn'
}

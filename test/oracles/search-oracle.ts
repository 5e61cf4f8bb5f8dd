/** A status in the model. */
export interface OracleStatus {
  id: string
  author: number
  visibility: 'public' | 'unlisted' | 'private' | 'direct'
  /** The text and the content warning. */
  text: string
  warning: string
  language: string
  mentioned: number | null
  isReply: boolean
  hasPoll: boolean
  /** The users who favourited, reblogged or bookmarked it, or voted in its poll. */
  interactedBy: Set<number>
}

/** The accounts and their relationships, by number. */
export interface OracleAccounts {
  names: string[]
  indexable: boolean[]
  limited: boolean[]
  /** `FROM.TO` for each pair. */
  follows: Set<string>
  blocks: Set<string>
  mutes: Set<string>
}

/** One condition of a query, with its text and its rule. */
export interface OracleClause {
  typed: string
  matches(status: OracleStatus, viewer: number): boolean
}

/** Words, or single characters in scripts without spaces. */
const WORDS = /[a-z0-9]+|[\u3040-\u30ff\u4e00-\u9fff]/g

/** Normalises a text for comparison. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')

/** Returns whether the text contains the words of a phrase next to each other. */
export function containsPhrase(text: string, phrase: string): boolean {
  const words = (all: string) => ` ${(plain(all).match(WORDS) ?? []).join(' ')} `
  return words(text).includes(words(phrase))
}

function mayRead(users: OracleAccounts, { status, viewer }: { status: OracleStatus; viewer: number }): boolean {
  const { author, visibility, mentioned } = status
  if (author === viewer) return true
  if (users.blocks.has(`${author}.${viewer}`)) return false
  if (visibility === 'public' || visibility === 'unlisted' || mentioned === viewer) return true
  return visibility === 'private' && users.follows.has(`${viewer}.${author}`)
}

/** Returns the ids of the statuses that a search finds, newest first. */
export function searchNaively(
  users: OracleAccounts,
  {
    statuses,
    viewer,
    clauses,
    reach,
  }: { statuses: readonly OracleStatus[]; viewer: number; clauses: readonly OracleClause[]; reach: string },
): string[] {
  return statuses
    .filter((status) => {
      const { author, visibility, mentioned, interactedBy } = status
      const isInLibrary = author === viewer || mentioned === viewer || interactedBy.has(viewer)
      const isSearchable = visibility === 'public' && users.indexable[author]!
      const isBlockedOrMuted = users.blocks.has(`${viewer}.${author}`) || users.mutes.has(`${viewer}.${author}`)
      const isLimited = users.limited[author]! && !users.follows.has(`${viewer}.${author}`)
      const isInReach =
        reach === 'library' ? isInLibrary : reach === 'public' ? isSearchable : isInLibrary || isSearchable
      return (
        isInReach &&
        mayRead(users, { status, viewer }) &&
        (author === viewer || (!isBlockedOrMuted && !isLimited)) &&
        clauses.every((clause) => clause.matches(status, viewer))
      )
    })
    .map(({ id }) => id)
    .toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
}

/** A status as somebody remembers it who has no database. */
export interface OracleStatus {
  id: string
  author: number
  visibility: 'public' | 'unlisted' | 'private' | 'direct'
  /** What it says, and the text in front of it that warns. */
  text: string
  warning: string
  language: string
  mentioned: number | null
  isReply: boolean
  hasPoll: boolean
  /** Who did something with it. */
  kept: Set<number>
}

/** What is between people, by their numbers. */
export interface OraclePeople {
  names: string[]
  indexable: boolean[]
  limited: boolean[]
  /** `from.to` of each pair. */
  follows: Set<string>
  blocks: Set<string>
  mutes: Set<string>
}

/** One condition, as it is typed, and whether a status fulfils it. */
export interface OracleClause {
  typed: string
  holds(status: OracleStatus, viewer: number): boolean
}

/** Words, and what is written without blanks character by character. */
const WORDS = /[a-z0-9]+|[\u3040-\u30ff\u4e00-\u9fff]/g

/** A text in the plain form in which it is compared. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')

/** Whether the words stand in the text side by side; what is written without blanks, also within others. */
export function says(text: string, phrase: string): boolean {
  const words = (all: string) => ` ${(plain(all).match(WORDS) ?? []).join(' ')} `
  return words(text).includes(words(phrase))
}

function mayRead(people: OraclePeople, { status, viewer }: { status: OracleStatus; viewer: number }): boolean {
  const { author, visibility, mentioned } = status
  if (author === viewer) return true
  if (people.blocks.has(`${author}.${viewer}`)) return false
  if (visibility === 'public' || visibility === 'unlisted' || mentioned === viewer) return true
  return visibility === 'private' && people.follows.has(`${viewer}.${author}`)
}

/** The ids of what a search finds, newest first. */
export function searchByHand(
  people: OraclePeople,
  {
    statuses,
    viewer,
    clauses,
    reach,
  }: { statuses: readonly OracleStatus[]; viewer: number; clauses: readonly OracleClause[]; reach: string },
): string[] {
  return statuses
    .filter((status) => {
      const { author, visibility, mentioned, kept } = status
      const isKept = author === viewer || mentioned === viewer || kept.has(viewer)
      const isOpen = visibility === 'public' && people.indexable[author]!
      const isUnwanted = people.blocks.has(`${viewer}.${author}`) || people.mutes.has(`${viewer}.${author}`)
      const isLimited = people.limited[author]! && !people.follows.has(`${viewer}.${author}`)
      const isInReach = reach === 'library' ? isKept : reach === 'public' ? isOpen : isKept || isOpen
      return (
        isInReach &&
        mayRead(people, { status, viewer }) &&
        (author === viewer || (!isUnwanted && !isLimited)) &&
        clauses.every((clause) => clause.holds(status, viewer))
      )
    })
    .map(({ id }) => id)
    .toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
}

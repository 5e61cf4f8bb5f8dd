import type { Changes, Moment } from './changes.ts'
import { Kept } from './kept.ts'

/** So many answers are remembered of one viewer at most. */
const MAX_ANSWERS = 2_000

interface Entry<Answer> {
  answer: Answer
  /** It was still true when this process looked then. */
  since: Moment
}

interface Terms<Answer> {
  /** How much memory one process may take for them, and what one of them takes. */
  maxBytes: number
  answerBytes: number
  keyOf(answer: Answer): string
  /** Whether something has changed since that the answer rests on, beside what its viewer did. */
  hasChanged(changes: Changes, answer: Answer, since: Moment): boolean
}

/**
 * Answers of the database that are different for each viewer, by viewer and by key, kept like those of `Kept`. When the
 * viewer did something, or stands to others in another way, all of theirs are asked for again.
 */
export class KeptByViewer<Answer> {
  readonly #kept: Kept<Map<string, Entry<Answer>>>
  readonly #terms: Terms<Answer>

  constructor(terms: Terms<Answer>) {
    this.#terms = terms
    this.#kept = new Kept({
      maxBytes: terms.maxBytes,
      hasChanged: (changes, { key, since }) => changes.hasChanged('viewer', key, since),
    })
  }

  /**
   * The answers in the order of the keys. Those that are not kept are loaded, all at once; what is not found then is
   * undefined, and asked for again the next time. `viewerId`: null = somebody unknown.
   */
  async find(
    changes: Changes,
    {
      viewerId,
      keys,
      load,
    }: { viewerId: string | null; keys: Iterable<string>; load(missing: string[]): Promise<readonly Answer[]> },
  ): Promise<(Answer | undefined)[]> {
    const since = changes.moment
    const viewer = viewerId ?? ''
    const entries = this.#kept.get(changes, viewer) ?? new Map<string, Entry<Answer>>()
    const answers: (Answer | undefined)[] = []
    const missing: string[] = []
    const places: number[] = []
    for (const key of keys) {
      const entry = entries.get(key)
      if (entry !== undefined && this.#isTrue(changes, entry)) answers.push(entry.answer)
      else {
        places.push(answers.push(undefined) - 1)
        missing.push(key)
      }
    }
    if (missing.length === 0) return answers
    const loaded = new Map((await load(missing)).map((answer) => [this.#terms.keyOf(answer), answer]))
    if (entries.size > MAX_ANSWERS) entries.clear()
    for (const [key, answer] of loaded) entries.set(key, { answer, since })
    const bytes = entries.size * this.#terms.answerBytes
    this.#kept.set(changes, viewer, { value: entries, since, bytes })
    missing.forEach((key, n) => (answers[places[n]!] = loaded.get(key)))
    return answers
  }

  #isTrue(changes: Changes, entry: Entry<Answer>): boolean {
    if (entry.since === changes.moment) return true
    if (this.#terms.hasChanged(changes, entry.answer, entry.since)) return false
    entry.since = changes.moment
    return true
  }
}

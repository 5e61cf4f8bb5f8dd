import { layOut } from './layout.ts'

const CATEGORIES: Record<string, string> = {
  spam: 'It is about spam.',
  legal: 'It is about something that the law may forbid.',
  violation: 'It is about a breach of the rules of the server.',
  other: 'It is about something else than spam, the law or the rules.',
}

/** Tells the staff of a report. */
export function reportLetter(input: {
  site: string
  /** The handle of whom it is about. */
  target: string
  /** Of who made it; null: that is not said to this person. */
  reporter: string | null
  category: string
  rules: readonly string[]
  /** How many posts and collections it names. */
  posts: number
  collections: number
  comment: string
  url: string
}): ReturnType<typeof layOut> {
  const { site, target, reporter, category, rules, posts, collections, comment, url } = input
  const named = [count(posts, 'post'), count(collections, 'collection')].filter((part) => part !== null).join(' and ')
  return layOut({
    subject: `A report about @${target} on ${site}`,
    site,
    title: 'There is a new report',
    paragraphs: [
      reporter === null ? `@${target} was reported on ${site}.` : `@${reporter} reported @${target} on ${site}.`,
      CATEGORIES[category] ?? '',
      ...(rules.length > 0 ? [`Rules that are named: ${rules.join(' · ')}`] : []),
      ...(named === '' ? [] : [`It names ${named} of theirs.`]),
      comment === '' ? 'There is no comment.' : 'This is what was written:',
    ].filter((words) => words !== ''),
    quote: comment === '' ? null : comment,
    action: { text: `Go to ${site}`, url },
    note: `You get this letter because you may manage reports on ${site}. As long as this report is open, there is none for further ones about the same account.`,
  })
}

function count(n: number, what: string): string | null {
  if (n === 0) return null
  return n === 1 ? `one ${what}` : `${n} ${what}s`
}

import { layOut } from './layout.ts'

/** Asks the staff to look at what many people take part in. */
export function trendsLetter(input: {
  site: string
  /** Without their signs. */
  tags: readonly string[]
  /** Titles of pages. */
  links: readonly string[]
  /** Addresses of posts. */
  statuses: readonly string[]
  url: string
}): ReturnType<typeof layOut> {
  const { site, tags, links, statuses, url } = input
  return layOut({
    subject: `Trends to review on ${site}`,
    site,
    title: 'Something trends',
    paragraphs: [`Many people on ${site} take part in these. Nobody else is shown them before you let them.`],
    quote: [...tags.map((name) => `#${name}`), ...statuses, ...links].join('\n'),
    action: { text: `Go to ${site}`, url },
    note: `You get this letter because you may decide what trends on ${site}. Whoever runs the server sees all of it by: bin/linnet trends list`,
  })
}

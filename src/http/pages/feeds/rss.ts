import { attributes, html, safeUrl } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { mediaTypeOf } from '../../../lib/http/media-type-of.ts'
import { emojify, emojifyMarkup } from '../layout/emoji.ts'
import type { PostMedia } from '../post/media.ts'
import type { Post } from '../post/template.ts'

export type FeedInput = {
  title: string
  description: string
  /** The URLs of the page with the same posts, and of the feed itself. */
  link: string
  self: string
  image: string | null
  lang: string
  /** The name and version of the software that generates the feed. */
  generator: string
  posts: readonly (Post & { tags: readonly string[] })[]
}

/** Returns an RSS 2.0 document, with attachments in the namespace of Media RSS. */
export function rssFeed(input: FeedInput): string {
  const { title, description, link, self, image, lang, generator, posts } = input
  const newest = posts[0]
  const channel = html`<channel>
    <title>${xml(title)}</title>
    <description>${xml(description)}</description>
    <link>${link}</link>
    <atom:link rel="self" type="application/rss+xml" href="${self}" />
    ${image && html`<image><url>${image}</url><title>${xml(title)}</title><link>${link}</link></image>`}
    <language>${lang}</language>
    <generator>${generator}</generator>
    ${newest && html`<lastBuildDate>${newest.at.toUTCString()}</lastBuildDate>`}
    ${posts.map(item)}
  </channel>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
${channel.toString()}
</rss>
`
}

function item(post: FeedInput['posts'][number]): SafeHtml {
  const { url, at, media = [], tags } = post
  return html`<item>
    <guid isPermaLink="true">${url}</guid>
    <link>${url}</link>
    <pubDate>${at.toUTCString()}</pubDate>
    <description>${xml(descriptionOf(post).toString())}</description>
    ${media.map((one) => attachment(post, one))} ${tags.map((tag) => html`<category>${xml(tag)}</category>`)}
  </item>`
}

/** Returns the content as HTML, after the content warning and before the options of a poll. */
function descriptionOf({ warning, content, emojis, poll }: Post): SafeHtml {
  return html`${
    warning.trim() !== '' &&
    html`<p><strong>${emojify(warning, emojis)}</strong></p>
      <hr />`
  }${emojifyMarkup(content, emojis)}${
    poll &&
    html`<ul>
      ${poll.options.map(({ title }) => html`<li>${emojify(title, emojis)}</li>`)}
    </ul>`
  }`
}

const MEDIUM = { image: 'image', gifv: 'video', video: 'video', audio: 'audio', unknown: 'document' } as const

function attachment({ sensitive, warning }: Post, { kind, url, preview, description }: PostMedia): SafeHtml {
  const rating = sensitive || warning.trim() !== '' ? 'adult' : 'nonadult'
  return html`<media:content url="${safeUrl(url)}" medium="${MEDIUM[kind]}" ${attributes({ type: mediaTypeOf(url) })}>
    <media:rating scheme="urn:simple">${rating}</media:rating>
    ${description && html`<media:description type="plain">${xml(description)}</media:description>`}
    ${preview && preview !== url && html`<media:thumbnail url="${safeUrl(preview)}" />`}
  </media:content>`
}

/** Removes the characters that XML 1.0 cannot contain, not even as character references. */
function xml(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
}

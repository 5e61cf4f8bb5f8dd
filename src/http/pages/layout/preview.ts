import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'

/**
 * Metadata of a page in plain text: Open Graph and other data for link previews, alternates such as feeds, indexing.
 */
export type Preview = {
  type: 'website' | 'profile' | 'article'
  title: string
  description: string
  /** The absolute URL of the page. */
  url: string
  /** `large`: the image is the content of the page, not just the avatar of the author. */
  image?: { url: string; alt: string; width?: number | null; height?: number | null; large: boolean } | null
  /** For a profile: the handle without the leading @. */
  username?: string | null
  /** The author of the page as `@name@domain` (`fediverse:creator`). */
  creator?: string | null
  at?: Date | null
  editedAt?: Date | null
  /** Other representations of the page, with their media types. */
  alternates?: readonly { type: string; href: string; title?: string }[]
  /** Asks search engines not to index the page. */
  noindex: boolean
}

/** The elements of the document head with the metadata. */
export function previewTags(preview: Preview, { siteTitle }: { siteTitle: string }): SafeHtml {
  const { type, title, description, url, image, username, creator, at, editedAt, alternates = [], noindex } = preview
  return html`${noindex && html`<meta name="robots" content="noindex, noarchive" />`}
    <meta name="description" content="${description}" />
    <link rel="canonical" href="${url}" />
    ${alternates.map((one) =>
      one.title === undefined
        ? html`<link rel="alternate" type="${one.type}" href="${one.href}" />`
        : html`<link rel="alternate" type="${one.type}" href="${one.href}" title="${one.title}" />`,
    )}
    ${property('og:site_name', siteTitle)} ${property('og:type', type)} ${property('og:title', title)}
    ${property('og:description', description)} ${property('og:url', url)}
    ${
      image &&
      html`${property('og:image', image.url)} ${property('og:image:alt', image.alt)}
      ${image.width && property('og:image:width', image.width)}
      ${image.height && property('og:image:height', image.height)}`
    }
    ${property('profile:username', username)} ${property('og:published_time', at?.toISOString())}
    ${property('article:published_time', type === 'article' ? at?.toISOString() : null)}
    ${property('article:modified_time', type === 'article' ? editedAt?.toISOString() : null)}
    <meta name="twitter:card" content="${image?.large ? 'summary_large_image' : 'summary'}" />
    ${creator && html`<meta name="fediverse:creator" content="${creator}" />`}`
}

function property(name: string, content: string | number | null | undefined): SafeHtml {
  if (content === null || content === undefined || content === '') return html``
  return html`<meta property="${name}" content="${content}" />`
}

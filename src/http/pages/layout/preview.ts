import { html } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'

/** What other programs are told of a page, in plain text: what messengers show of a link, and where feeds are. */
export type Preview = {
  type: 'website' | 'profile' | 'article'
  title: string
  description: string
  /** Absolute. */
  url: string
  /** `large`: it is what the page is about, not only somebody's face. */
  image?: { url: string; alt: string; width?: number | null; height?: number | null; large: boolean } | null
  /** Of a profile: the handle without its at sign. */
  username?: string | null
  /** Who wrote the page: `@name@domain`. */
  creator?: string | null
  at?: Date | null
  editedAt?: Date | null
  /** The same in other forms, by their media types. */
  alternates?: readonly { type: string; href: string; title?: string }[]
  /** Search engines are asked to leave it. */
  noindex: boolean
}

/** The part of a page's head that is for programs. */
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

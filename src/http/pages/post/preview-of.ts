import { stripDirectionOverrides } from '../../../lib/html/html.ts'
import { htmlToPlainText } from '../../../lib/html/html-to-plain-text.ts'
import { nameOf } from '../layout/page-account.ts'
import type { Post } from './template.ts'
import type { Preview } from '../layout/preview.ts'

const MAX_DESCRIPTION_CHARACTERS = 300

/**
 * Returns the metadata of a post for link previews and search engines. For a post with a content warning, they contain
 * the warning only, neither text nor media.
 */
export function previewOf(post: Post): Omit<Preview, 'alternates' | 'noindex'> {
  const { author, warning, media = [], sensitive, url, at, editedAt } = post
  const handle = stripDirectionOverrides(`@${author.handle}`)
  const hasWarning = warning.trim() !== ''
  const picture =
    hasWarning || sensitive ? undefined : media.find(({ kind, preview }) => kind === 'image' && preview !== null)
  const text = hasWarning ? warning : htmlToPlainText(post.content.toString())
  return {
    type: 'article',
    title: `${nameOf(author)} (${handle})`,
    description: shorten(text) || shorten(picture?.description ?? '') || handle,
    url,
    image: picture
      ? {
          url: picture.preview ?? picture.url,
          alt: picture.description ?? '',
          width: picture.width ?? null,
          height: picture.height ?? null,
          large: true,
        }
      : avatarPreviewOf(author),
    creator: handle,
    at,
    editedAt: editedAt ?? null,
  }
}

/** Returns the avatar of an account as the small image of a link preview; null if it has none. */
export function avatarPreviewOf({ avatar }: Post['author']): Preview['image'] {
  return avatar ? { url: avatar, alt: '', large: false } : null
}

/** Puts a text on one line and cuts it at a word. */
export function shorten(text: string, characters = MAX_DESCRIPTION_CHARACTERS): string {
  const line = stripDirectionOverrides(text).replace(/\s+/g, ' ').trim()
  if (line.length <= characters) return line
  const cut = line.slice(0, characters).replace(/[\ud800-\udbff]$/, '')
  return `${/^(.+)\s\S{0,30}$/su.exec(cut)?.[1] ?? cut}…`
}

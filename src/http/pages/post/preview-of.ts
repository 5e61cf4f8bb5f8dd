import { withoutOverrides } from '../../../lib/html.ts'
import { plainText } from '../../../lib/text/plainText.ts'
import { nameOf } from '../layout/page-account.ts'
import type { Post } from './template.ts'
import type { Preview } from '../layout/preview.ts'

const MAX_DESCRIPTION_CHARACTERS = 300

/** What messengers and search engines are told of a post. What it warns of, they are not. */
export function previewOf(post: Post): Omit<Preview, 'alternates' | 'noindex'> {
  const { author, warning, media = [], sensitive, url, at, editedAt } = post
  const handle = withoutOverrides(`@${author.handle}`)
  const warned = warning.trim() !== ''
  const picture =
    warned || sensitive ? undefined : media.find(({ kind, preview }) => kind === 'image' && preview !== null)
  const said = warned ? warning : plainText(post.content.toString())
  return {
    type: 'article',
    title: `${nameOf(author)} (${handle})`,
    description: shorten(said) || shorten(picture?.description ?? '') || handle,
    url,
    image: picture
      ? {
          url: picture.preview ?? picture.url,
          alt: picture.description ?? '',
          width: picture.width ?? null,
          height: picture.height ?? null,
          large: true,
        }
      : faceOf(author),
    creator: handle,
    at,
    editedAt: editedAt ?? null,
  }
}

/** The picture of somebody, small. */
export function faceOf({ avatar }: Post['author']): Preview['image'] {
  return avatar ? { url: avatar, alt: '', large: false } : null
}

/** On one line, cut at a word. */
export function shorten(text: string, characters = MAX_DESCRIPTION_CHARACTERS): string {
  const line = withoutOverrides(text).replace(/\s+/g, ' ').trim()
  if (line.length <= characters) return line
  const cut = line.slice(0, characters).replace(/[\ud800-\udbff]$/, '')
  return `${/^(.+)\s\S{0,30}$/su.exec(cut)?.[1] ?? cut}…`
}

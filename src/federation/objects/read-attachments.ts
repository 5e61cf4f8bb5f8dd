import type { Focus } from '../../lib/focus.ts'
import type { WireObject } from '../wire/normalise.ts'
import { countOf, isOfType, linksOf, listOf, objectsOf, textOf } from '../wire/read.ts'
import { LIMITS } from './limits.ts'
import { mediaTypeOf } from '../../lib/media-type.ts'

export interface AttachmentFacts {
  type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  url: string
  mediaType: string | null
  description: string | null
  blurhash: string | null
  focus: Focus | null
  width: number | null
  height: number | null
  /** A smaller picture that stands for it. */
  previewUrl: string | null
}

/** Documents, and those of a known kind, which some servers send instead. */
const FILES = new Set(['Document', 'Image', 'Video', 'Audio'])

/** What may be shown, by the second half of its media type. Readers get a link to anything else. */
const SHOWN = {
  image: new Set('jpeg jpg pjpeg png x-png apng gif webp avif'.split(' ')),
  video: new Set('mp4 x-m4v webm quicktime ogg 3gpp'.split(' ')),
  audio: new Set(
    `mpeg mp3 x-mp3 mp4 m4a x-m4a aac aacp x-aac ogg vorbis opus webm flac x-flac wav wave x-wav x-pn-wave vnd.wave
    3gpp`.split(/\s+/),
  ),
}

const BASE_83 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'
const BLURHASH = /^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,}$/

/** More waves than this cost more to draw than they show. */
const MAX_COMPONENTS = 5

/** No picture is wider, whatever is said. */
const MAX_SIDE = 100_000

/** The files of a note: the first four that have an address. */
export function readAttachments(object: WireObject): AttachmentFacts[] {
  const found: AttachmentFacts[] = []
  for (const one of objectsOf(object['attachment'], LIMITS.links)) {
    const attachment = isOfType(one, FILES) ? readAttachment(one) : null
    if (attachment) found.push(attachment)
    if (found.length === LIMITS.attachments) break
  }
  return found
}

function readAttachment(one: WireObject): AttachmentFacts | null {
  const link = bestLink(one)
  if (!link) return null
  const [preview] = linksOf(one['icon'], 1)
  return {
    type: kindOf(one, link.mediaType),
    ...link,
    description: textOf(one['summary'], LIMITS.description) || textOf(one['name'], LIMITS.description) || null,
    blurhash: blurhashOf(one),
    focus: focusOf(one),
    width: sideOf(one['width']),
    height: sideOf(one['height']),
    previewUrl: preview?.url ?? null,
  }
}

/** Of several ways to a file, the first that leads to one that can be shown. */
function bestLink(one: WireObject): { url: string; mediaType: string | null } | null {
  const said = textOf(one['mediaType'], 255)?.toLowerCase() ?? null
  const links = linksOf(one['url'] ?? one['href'], LIMITS.links).map(({ url, mediaType }) => ({
    url,
    mediaType: said ?? mediaType ?? mediaTypeOf(url),
  }))
  return links.find(({ mediaType }) => /^(?:image|video|audio)\//.test(mediaType ?? '')) ?? links[0] ?? null
}

function kindOf(one: WireObject, mediaType: string | null): AttachmentFacts['type'] {
  const [kind, form] = (mediaType ?? '').split(/[/;]/).map((part) => part.trim())
  if (kind === 'image' || kind === 'video' || kind === 'audio') {
    return form === undefined || SHOWN[kind].has(form) ? kind : 'unknown'
  }
  if (mediaType !== null) return 'unknown'
  const named = (['Image', 'Video', 'Audio'] as const).find((type) => isOfType(one, new Set([type])))
  return named ? (named.toLowerCase() as 'image' | 'video' | 'audio') : 'unknown'
}

function blurhashOf(one: WireObject): string | null {
  const hash = textOf(one['blurhash'], 255)
  if (hash === null || !BLURHASH.test(hash)) return null
  const size = BASE_83.indexOf(hash.charAt(0))
  const [x, y] = [(size % 9) + 1, Math.floor(size / 9) + 1]
  return x <= MAX_COMPONENTS && y <= MAX_COMPONENTS && hash.length === 4 + 2 * x * y ? hash : null
}

function focusOf(one: WireObject): Focus | null {
  const [x, y] = listOf(one['focalPoint'])
  if (typeof x !== 'number' || typeof y !== 'number') return null
  // The sum with zero turns -0 into 0.
  const clamp = (coordinate: number) => Math.max(-1, Math.min(1, coordinate)) + 0
  return { x: clamp(x), y: clamp(y) }
}

function sideOf(value: WireObject[string]): number | null {
  const side = countOf(value)
  return side === null || side === 0 || side > MAX_SIDE ? null : side
}

import type { FocalPoint } from '../../../lib/parse-focal-point.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { countOf, isOfType, linksOf, listOf, objectsOf, textOf, typesOf } from '../../wire/read-values.ts'
import { LIMITS } from './limits.ts'
import { mediaTypeOf } from '../../../lib/http/media-type-of.ts'

export interface ParsedAttachment {
  type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  url: string
  mediaType: string | null
  description: string | null
  blurhash: string | null
  focus: FocalPoint | null
  width: number | null
  height: number | null
  /** The thumbnail. */
  previewUrl: string | null
}

/** The types of attachments. Some servers send a specific type instead of Document. */
const FILES = new Set(['Document', 'Image', 'Video', 'Audio'])
const LINK = new Set(['Link'])

/** Formats that clients can show, by the subtype of the media type. For other formats, clients get a link. */
const SUPPORTED_FORMATS = {
  image: new Set('jpeg jpg pjpeg png x-png apng gif webp avif'.split(' ')),
  video: new Set('mp4 x-m4v webm quicktime ogg 3gpp'.split(' ')),
  audio: new Set(
    `mpeg mp3 x-mp3 mp4 m4a x-m4a aac aacp x-aac ogg vorbis opus webm flac x-flac wav wave x-wav x-pn-wave vnd.wave
    3gpp`.split(/\s+/),
  ),
}

const BASE_83 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'
const BLURHASH = /^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,}$/

/** The number of BlurHash components per axis beyond which decoding costs more than it is worth. */
const MAX_COMPONENTS = 5

/** The greatest plausible width or height in pixels. */
const MAX_SIDE = 100_000

/** Reads the attachments of a note: the first four that have a URL. */
export function readAttachments(object: WireObject): ParsedAttachment[] {
  const found: ParsedAttachment[] = []
  for (const item of objectsOf(object['attachment'], LIMITS.links)) {
    const attachment = isFile(item) ? readAttachment(item) : null
    if (attachment) found.push(attachment)
    if (found.length === LIMITS.attachments) break
  }
  return found
}

/** Reads the URLs of the pages that a note attaches (FEP-8967). */
export function readAttachedPages(object: WireObject): string[] {
  const pages = objectsOf(object['attachment'], LIMITS.links).filter((item) => !isFile(item) && isLink(item))
  return pages.flatMap(({ href }) => linksOf(href, 1).map(({ url }) => url))
}

/**
 * Returns whether an attachment is a file. NodeBB sends a Link for files that are no images, and Bridgy Fed sends
 * images without a type; unlike the Link to a page, they have a `url` in place of `href`.
 */
function isFile(one: WireObject): boolean {
  if (isOfType(one, FILES)) return true
  return one['url'] !== undefined && isLink(one)
}

function isLink(one: WireObject): boolean {
  return isOfType(one, LINK) || typesOf(one).length === 0
}

function readAttachment(one: WireObject): ParsedAttachment | null {
  const link = bestLink(one)
  if (!link) return null
  const [preview] = linksOf(one['icon'], 1)
  return {
    type: attachmentTypeOf(one, link.mediaType),
    ...link,
    description: textOf(one['summary'], LIMITS.description) || textOf(one['name'], LIMITS.description) || null,
    blurhash: blurhashOf(one),
    focus: readFocus(one),
    width: sideOf(one['width']),
    height: sideOf(one['height']),
    previewUrl: preview?.url ?? null,
  }
}

/** Returns the first link to an image, video or audio file, or else the first link. */
function bestLink(one: WireObject): { url: string; mediaType: string | null } | null {
  const declaredType = textOf(one['mediaType'], 255)?.toLowerCase() ?? null
  const links = linksOf(one['url'] ?? one['href'], LIMITS.links).map(({ url, mediaType }) => ({
    url,
    mediaType: declaredType ?? mediaType ?? mediaTypeOf(url),
  }))
  return links.find(({ mediaType }) => /^(?:image|video|audio)\//.test(mediaType ?? '')) ?? links[0] ?? null
}

function attachmentTypeOf(one: WireObject, mediaType: string | null): ParsedAttachment['type'] {
  const [kind, subtype] = (mediaType ?? '').split(/[/;]/).map((part) => part.trim())
  if (kind === 'image' || kind === 'video' || kind === 'audio') {
    return subtype === undefined || SUPPORTED_FORMATS[kind].has(subtype) ? kind : 'unknown'
  }
  if (mediaType !== null) return 'unknown'
  const specificType = (['Image', 'Video', 'Audio'] as const).find((type) => isOfType(one, new Set([type])))
  return specificType ? (specificType.toLowerCase() as 'image' | 'video' | 'audio') : 'unknown'
}

function blurhashOf(one: WireObject): string | null {
  const hash = textOf(one['blurhash'], 255)
  if (hash === null || !BLURHASH.test(hash)) return null
  const size = BASE_83.indexOf(hash.charAt(0))
  const [x, y] = [(size % 9) + 1, Math.floor(size / 9) + 1]
  return x <= MAX_COMPONENTS && y <= MAX_COMPONENTS && hash.length === 4 + 2 * x * y ? hash : null
}

/** Returns the focal point of an attachment. */
export function readFocus(one: WireObject): FocalPoint | null {
  const [x, y] = listOf(one['focalPoint'])
  if (typeof x !== 'number' || typeof y !== 'number') return null
  // Adding zero turns -0 into 0.
  const clamp = (coordinate: number) => Math.max(-1, Math.min(1, coordinate)) + 0
  return { x: clamp(x), y: clamp(y) }
}

function sideOf(value: WireObject[string]): number | null {
  const side = countOf(value)
  return side === null || side === 0 || side > MAX_SIDE ? null : side
}

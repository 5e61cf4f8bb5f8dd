import type { WireValue } from '../wire/normalise.ts'
import { lineOf, linksOf, listOf, objectOf, textOf } from '../wire/read.ts'
import { LIMITS } from './limits.ts'

export interface ImageFacts {
  url: string
  description: string
}

/** A profile's picture, which may be written as an address, a link, an image or several of these; the first counts. */
export function readImage(value: WireValue | undefined): ImageFacts | null {
  const first = listOf(value)[0]
  const [link] = linksOf(first, LIMITS.links)
  if (!link) return null
  const image = objectOf(first)
  const description = textOf(image?.['summary'], LIMITS.description) ?? lineOf(image?.['name'], LIMITS.description)
  return { url: link.url, description: description ?? '' }
}

import { decodePage } from '../../lib/webpage/decode-page.ts'
import { extractPageMetadata, MAX_URL_LENGTH } from '../../lib/webpage/describe-page.ts'
import type { PageMetadata } from '../../lib/webpage/describe-page.ts'
import { readOEmbed } from '../../lib/webpage/read-oembed.ts'
import type { Ctx } from '../context.ts'
import { fetchLinkedResource } from './fetch-linked-resource.ts'

/** How much of a page is read: its metadata is at the beginning. */
const PAGE_BYTES = 1_048_576
const OEMBED_BYTES = 262_144
const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i
const JSON_TYPE = /^\s*(?:application|text)\/(?:[\w.]+\+)?json\b/i

/**
 * Fetches a page, and its oEmbed resource if it links to one, and returns the metadata. Returns null if the URL is not
 * a page, or if it has no title.
 */
export async function readLinkedPage(ctx: Ctx, { url }: { url: string }): Promise<PageMetadata | null> {
  const page = await fetchLinkedResource(ctx, { url, accept: 'text/html', types: HTML, maxBytes: PAGE_BYTES })
  if (!page) return null
  const html = decodePage(page.body, { contentType: page.contentType })
  const pageFacts = extractPageMetadata(html, { pageUrl: page.url, now: ctx.now() })
  const facts = withoutLocalPlayer(
    ctx,
    pageFacts.oEmbedUrl === null ? pageFacts : await fetchOEmbed(ctx, { facts: pageFacts, url: pageFacts.oEmbedUrl }),
  )
  if (facts.title === '') return null
  // A redirect may lead to a longer URL than an index can store.
  return facts.url.length > MAX_URL_LENGTH ? { ...facts, url } : facts
}

async function fetchOEmbed(ctx: Ctx, { facts, url }: { facts: PageMetadata; url: string }): Promise<PageMetadata> {
  const request = { url, accept: 'application/json', types: JSON_TYPE, maxBytes: OEMBED_BYTES, requireComplete: true }
  const response = await fetchLinkedResource(ctx, request)
  return response ? readOEmbed(response.body.toString(), { metadata: facts, url: response.url }) : facts
}

/** Removes a player whose URL is on this server: in a page of this server it would have the same origin. */
function withoutLocalPlayer(ctx: Ctx, facts: PageMetadata): PageMetadata {
  const { localDomain, webDomain } = ctx.config
  const host = facts.player && new URL(facts.player.url).host
  if (host !== webDomain && host !== localDomain) return facts
  return { ...facts, type: 'link', player: null, width: 0, height: 0 }
}

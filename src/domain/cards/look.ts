import { decodePage } from '../../lib/webpage/decodePage.ts'
import { describePage } from '../../lib/webpage/describePage.ts'
import type { PageFacts } from '../../lib/webpage/describePage.ts'
import { readOEmbed } from '../../lib/webpage/readOEmbed.ts'
import type { Ctx } from '../context.ts'
import { ask } from './ask.ts'

/** As much of a page as is read: what it says of itself stands at its beginning. */
const PAGE_BYTES = 1_048_576
const OEMBED_BYTES = 262_144
const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i
const JSON_TYPE = /^\s*(?:application|text)\/(?:[\w.]+\+)?json\b/i

/** Looks at a page, and at its description by oEmbed if it names one. Null for what is no page, or says not even its title. */
export async function lookAtPage(ctx: Ctx, { url }: { url: string }): Promise<PageFacts | null> {
  const page = await ask(ctx, { url, accept: 'text/html', types: HTML, maxBytes: PAGE_BYTES })
  if (!page) return null
  const html = decodePage(page.body, { contentType: page.contentType })
  const own = describePage(html, { pageUrl: page.url, now: ctx.now() })
  const facts = withoutOurs(
    ctx,
    own.oEmbedUrl === null ? own : await askOEmbed(ctx, { facts: own, url: own.oEmbedUrl }),
  )
  return facts.title === '' ? null : facts
}

async function askOEmbed(ctx: Ctx, { facts, url }: { facts: PageFacts; url: string }): Promise<PageFacts> {
  const request = { url, accept: 'application/json', types: JSON_TYPE, maxBytes: OEMBED_BYTES, whole: true }
  const answer = await ask(ctx, request)
  return answer ? readOEmbed(answer.body.toString(), { facts, url: answer.url }) : facts
}

/** A player of this server inside of a page of this server would be no stranger there. */
function withoutOurs(ctx: Ctx, facts: PageFacts): PageFacts {
  const { localDomain, webDomain } = ctx.config
  const host = facts.player && new URL(facts.player.url).host
  if (host !== webDomain && host !== localDomain) return facts
  return { ...facts, type: 'link', player: null, width: 0, height: 0 }
}

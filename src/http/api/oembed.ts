import { Type } from 'typebox'
import type { Ctx } from '../../domain/context.ts'
import { readInstanceInformation } from '../../domain/instance/instance-information.ts'
import type { Account } from '../../entities/accounts/account.ts'
import { OEmbed } from '../../entities/statuses/oembed.ts'
import { ref } from '../../entities/schema/ref.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { html } from '../../lib/html/html.ts'
import { isId } from '../../lib/ids.ts'
import { selectLocale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import type { TypedFastify } from '../typed-fastify.ts'
import { nameOf } from '../pages/layout/page-account.ts'
import type { Post } from '../pages/post/template.ts'
import { renderPublicStatuses } from '../pages/post/render-public-statuses.ts'
import { postOf } from '../pages/post/post-of.ts'

const DEFAULT_WIDTH = 400
const MIN_SIDE = 100
const MAX_SIDE = 4_000
const DAY_SECONDS = 86_400

const Side = Type.Optional(Type.Integer({ 'x-blank-is-absent': true, description: 'Pixels.' }))

/** Mastodon: GET /api/oembed. Returns the HTML with which another site embeds a local post. */
export async function oembed(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '/api/oembed',
    {
      schema: {
        tags: ['oembed'],
        summary: 'Get the HTML that embeds a post',
        querystring: Type.Object({
          url: Type.String({ description: 'The URL of a public or unlisted post of this server.' }),
          maxwidth: Side,
          maxheight: Side,
        }),
        response: { 200: ref(OEmbed) },
      },
    },
    async ({ query, viewer }): Promise<OEmbed> => {
      const { url, maxwidth, maxheight } = query
      const statusUrl = parseStatusUrl(ctx, url)
      const [[status], site] = await Promise.all([
        renderPublicStatuses(ctx, { ids: statusUrl ? [statusUrl.id] : [], viewer }),
        readInstanceInformation(ctx),
      ])
      // A hidden post gets the same response as one that does not exist.
      if (!status || status.reblog || !statusUrl?.isOf(status.account)) throw new NotFoundError()
      const post = postOf(ctx, status)
      const name = nameOf(post.author)
      const title = message(selectLocale({ serverDefault: ctx.config.defaultLocale }), 'post.title-of', { name })
      const width = clampSide(maxwidth) ?? DEFAULT_WIDTH
      const height = clampSide(maxheight)
      return {
        type: 'rich',
        version: '1.0',
        title,
        author_name: name,
        author_url: status.account.url,
        provider_name: site.title,
        provider_url: `${ctx.config.origin}/`,
        cache_age: DAY_SECONDS,
        html: html`<iframe
          src="${post.url}/embed"
          title="${title}"
          width="${width}"
          height="${height ?? estimateHeight(post, width)}"
          style="max-width: 100%; border: 0"
          loading="lazy"
          allowfullscreen
        ></iframe>`.toString(),
        width,
        height,
      }
    },
  )
}

/**
 * Returns the id of the post that a URL of this server names and a check of its author; null for any other URL.
 */
function parseStatusUrl(ctx: Ctx, url: string): { id: string; isOf: (account: Account) => boolean } | null {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.host !== new URL(ctx.config.origin).host) return null
  const [, username, accountId, id] =
    /^\/(?:(?:@|%40|users\/)(\w+)(?:\/statuses)?|ap\/users\/(\d+)\/statuses)\/(\d+)\/?$/.exec(parsed.pathname) ?? []
  if (!isId(id)) return null
  const isLocal = (account: Account) => account.acct === account.username
  return {
    id,
    isOf: (account) =>
      isLocal(account) &&
      (username === undefined ? account.id === accountId : account.username.toLowerCase() === username.toLowerCase()),
  }
}

function clampSide(requested: number | undefined): number | null {
  return requested === undefined ? null : Math.min(Math.max(requested, MIN_SIDE), MAX_SIDE)
}

const FRAME_PIXELS = 200
const LINE_PIXELS = 27
const CHARACTER_PIXELS = 8.5
/** The height of the text of a preview card. */
const CARD_TEXT_PIXELS = 130

/** Estimates the height of the post in pixels: without a script, a frame cannot adapt to its content. */
function estimateHeight(post: Post, width: number): number {
  const innerWidth = Math.max(width - 50, MIN_SIDE)
  const lines = (text: string) => Math.ceil((text.length * CHARACTER_PIXELS) / innerWidth)
  const paragraphs = post.content.toString().split(/<\/p>|<br ?\/?>/)
  const textHeight = paragraphs.reduce(
    (sum, paragraph) => sum + lines(paragraph.replace(/<[^>]*>/g, '')) * LINE_PIXELS,
    0,
  )
  const media = (post.media ?? []).length === 0 ? 0 : (innerWidth * 10) / 16 + 12
  const poll = (post.poll?.options.length ?? 0) * 50
  const card = post.card && media === 0 && !post.quote ? CARD_TEXT_PIXELS + (post.card.image ? innerWidth / 2 : 0) : 0
  const contentHeight = textHeight + media + poll + card
  return Math.round(FRAME_PIXELS + (post.warning.trim() === '' ? contentHeight : Math.max(60, contentHeight)))
}

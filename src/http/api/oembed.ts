import { Type } from 'typebox'
import type { Ctx } from '../../domain/context.ts'
import { readSite } from '../../domain/instance/site.ts'
import type { Account } from '../../entities/account.ts'
import { OEmbed } from '../../entities/oembed.ts'
import { ref } from '../../entities/ref.ts'
import { NotFound } from '../../lib/errors.ts'
import { html } from '../../lib/html.ts'
import { isId } from '../../lib/ids.ts'
import { selectLocale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import type { Api } from '../api.ts'
import { nameOf } from '../pages/layout/page-account.ts'
import type { Post } from '../pages/post/template.ts'
import { openStatuses } from '../pages/post/open-statuses.ts'
import { postOf } from '../pages/post/post-of.ts'

const DEFAULT_WIDTH = 400
const MIN_SIDE = 100
const MAX_SIDE = 4_000
const DAY_SECONDS = 86_400

/** `GET /api/oembed`: how another site shows a post of here. */
export async function oembed(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/api/oembed',
    {
      schema: {
        tags: ['oembed'],
        summary: 'See how to embed a post',
        querystring: Type.Object({
          url: Type.String({ description: 'Of a public or unlisted post of this server.' }),
          maxwidth: Type.Optional(Type.Integer({ description: 'Pixels.' })),
          maxheight: Type.Optional(Type.Integer({ description: 'Pixels.' })),
        }),
        response: { 200: ref(OEmbed) },
      },
    },
    async (request): Promise<OEmbed> => {
      const { url, maxwidth, maxheight } = request.query
      const named = readAddress(ctx, url)
      const [[status], site] = await Promise.all([openStatuses(ctx, { ids: named ? [named.id] : [] }), readSite(ctx)])
      // The very same for what is hidden as for what never was.
      if (!status || status.reblog || !named?.isOf(status.account)) throw new NotFound()
      const post = postOf(ctx, status)
      const name = nameOf(post.author)
      const title = message(selectLocale({ serverDefault: ctx.config.defaultLocale }), 'post.title-of', { name })
      const width = sideOf(maxwidth) ?? DEFAULT_WIDTH
      const height = sideOf(maxheight)
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
          height="${height ?? heightOf(post, width)}"
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

/** Which post an address of ours names, and whose; null for any other address. */
function readAddress(ctx: Ctx, url: string): { id: string; isOf: (account: Account) => boolean } | null {
  const address = URL.parse(url)
  if (address === null || address.host !== new URL(ctx.config.origin).host) return null
  const [, name, accountId, id] =
    /^\/(?:(?:@|users\/)(\w+)(?:\/statuses)?|ap\/users\/(\d+)\/statuses)\/(\d+)\/?$/.exec(address.pathname) ?? []
  if (!isId(id)) return null
  const isLocal = ({ acct, username }: Account) => acct === username
  return {
    id,
    isOf: (account) =>
      isLocal(account) &&
      (name === undefined ? account.id === accountId : account.username.toLowerCase() === name.toLowerCase()),
  }
}

function sideOf(asked: number | undefined): number | null {
  return asked === undefined ? null : Math.min(Math.max(asked, MIN_SIDE), MAX_SIDE)
}

const FRAME_PIXELS = 200
const LINE_PIXELS = 27
const CHARACTER_PIXELS = 8.5
/** Of the words of a card. */
const CARD_PIXELS = 130

/** About as high as the post is: a frame can't find that out without a script. */
function heightOf(post: Post, width: number): number {
  const inside = Math.max(width - 50, MIN_SIDE)
  const lines = (text: string) => Math.ceil((text.length * CHARACTER_PIXELS) / inside)
  const paragraphs = post.content.toString().split(/<\/p>|<br ?\/?>/)
  const words = paragraphs.reduce((sum, one) => sum + lines(one.replace(/<[^>]*>/g, '')) * LINE_PIXELS, 0)
  const media = (post.media ?? []).length === 0 ? 0 : (inside * 10) / 16 + 12
  const poll = (post.poll?.options.length ?? 0) * 50
  const card = post.card && media === 0 && !post.quote ? CARD_PIXELS + (post.card.image ? inside / 2 : 0) : 0
  const said = words + media + poll + card
  return Math.round(FRAME_PIXELS + (post.warning.trim() === '' ? said : Math.max(60, said)))
}

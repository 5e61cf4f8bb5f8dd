import { findCollection } from '../../../domain/collections/find-collection.ts'
import type { Ctx } from '../../../domain/context.ts'
import type { CollectionWithAccounts } from '../../../entities/accounts/collection.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { stripDirectionOverrides } from '../../../lib/html/html.ts'
import { htmlToPlainText } from '../../../lib/html/html-to-plain-text.ts'
import { parseEntity } from '../../../lib/json/json-content.ts'
import { message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { renderCollectionWithAccounts } from '../../../render/collections/render-collections.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { IdParams } from '../../support/request/path-params.ts'
import { pageAccountOf, sendPublicPage } from '../../support/response/send-page.ts'
import { nameOf } from '../layout/page-account.ts'
import type { Preview } from '../layout/preview.ts'
import { avatarPreviewOf, shorten } from '../post/preview-of.ts'
import { collectionPage } from './template.ts'
import type { CollectionInput } from './template.ts'

const MAX_NOTE_CHARACTERS = 160

/** The page of a collection. That of a remote collection is on its own server. */
export async function collectionPages(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get('/collections/:id', { schema: { hide: true, params: IdParams } }, async (request, reply) => {
    const { id } = await findCollection(ctx, { id: request.params.id, viewerId: null })
    const found = parseEntity(await ctx.read(renderCollectionWithAccounts, { id, viewerId: null }))
    const { collection } = found
    if (!collection.local) return reply.redirect(toHttpUrl(collection.url), 302)
    const input = inputOf(ctx, found)
    const isHidden = !collection.discoverable || collection.sensitive
    const isCuratorHidden = found.accounts[0]?.noindex === true || found.accounts[0]?.limited === true
    const noindex = isHidden || isCuratorHidden
    reply.header('link', `<${collection.uri}>; rel="alternate"; type="application/activity+json"`)
    return sendPublicPage(ctx, {
      request,
      reply,
      noindex,
      page: (frame) =>
        collectionPage(frame, {
          ...input,
          preview: {
            ...previewOf(frame.locale, input),
            url: collection.url,
            noindex,
            alternates: [alternateOf(found)],
          },
        }),
    })
  })
}

const alternateOf = ({ collection }: CollectionWithAccounts) => ({
  type: 'application/activity+json',
  href: collection.uri,
})

function inputOf(ctx: Ctx, { collection, accounts }: CollectionWithAccounts): Omit<CollectionInput, 'preview'> {
  const curator = accounts.find(({ id }) => id === collection.account_id)
  if (!curator) throw new NotFoundError()
  const byId = new Map(accounts.map((account) => [account.id, account]))
  return {
    name: collection.name,
    description: collection.description ?? '',
    language: collection.language,
    tag: collection.tag,
    sensitive: collection.sensitive,
    updatedAt: new Date(collection.updated_at),
    curator: pageAccountOf(ctx, curator),
    members: collection.items.flatMap(({ account_id: accountId }) => {
      const account = byId.get(accountId ?? '')
      if (!account) return []
      const note = account.limited === true ? '' : shorten(htmlToPlainText(account.note), MAX_NOTE_CHARACTERS)
      const followUrl = `/authorize_interaction?uri=${encodeURIComponent(account.uri)}`
      return [{ account: pageAccountOf(ctx, account), note, followUrl }]
    }),
  }
}

/** Returns the metadata of a collection for link previews and search engines: of a sensitive one, the name only. */
function previewOf(
  locale: Locale,
  { name, description, sensitive, curator, members }: Omit<CollectionInput, 'preview'>,
): Pick<Preview, 'type' | 'title' | 'description' | 'image' | 'creator'> {
  const by = message(locale, 'collection.describe', { count: members.length, name: nameOf(curator) })
  return {
    type: 'website',
    title: stripDirectionOverrides(name),
    description: (!sensitive && shorten(description)) || by,
    image: avatarPreviewOf(curator),
    creator: stripDirectionOverrides(`@${curator.handle}`),
  }
}

/** @throws NotFoundError unless the URL is http(s) */
function toHttpUrl(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new NotFoundError()
  return new URL(url).href
}

import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { getStaffEmoji, listEmojiCategories, listStaffEmojis } from '../../../../../domain/emojis/list-staff-emojis.ts'
import type { EmojiFilters } from '../../../../../domain/emojis/list-staff-emojis.ts'
import { removeEmojiById } from '../../../../../domain/emojis/remove-emoji.ts'
import { saveEmoji } from '../../../../../domain/emojis/save-emoji.ts'
import { renameEmojiCategory, updateEmoji } from '../../../../../domain/emojis/update-emoji.ts'
import { copyEmoji } from '../../../../../domain/media/copy-emoji.ts'
import { AdminCustomEmoji } from '../../../../../entities/admin/content/admin-custom-emoji.ts'
import { oneOf } from '../../../../../entities/schema/one-of.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ValidationError } from '../../../../../lib/errors.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { canonicalDomain } from '../../../../../lib/usernames.ts'
import { nameImageParameter } from '../../../../../platform/media/media-errors.ts'
import { renderAdminCustomEmoji } from '../../../../../render/admin/content/render-admin-custom-emoji.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'
import { BODY_TYPES_WITH_FILES, FileParam } from '../../../../support/uploads/uploaded-file.ts'

const FILTER_PARAMS = {
  origin: Type.Optional(oneOf(['local', 'remote'])),
  by_domain: Type.Optional(Type.String({ description: 'Only remote emojis of this domain.' })),
  shortcode: Type.Optional(Type.String({ description: 'The beginning of the shortcode.' })),
  category: Type.Optional(Type.String()),
  disabled: Type.Optional(Type.Boolean()),
}
const Filters = Type.Object({ ...CURSOR_PAGINATION_PARAMS, ...FILTER_PARAMS })
const Category = Type.Optional(
  Type.String({ description: 'The heading in pickers, at most 100 characters; empty: none.', 'x-null': '' }),
)
const Picker = Type.Optional(Type.Boolean({ description: 'Whether clients offer the emoji.' }))
const NewEmoji = Type.Object({
  shortcode: Type.Optional(
    Type.String({ description: 'Required. 2 to 128 letters a–z, digits and underscores; 422 if it exists.' }),
  ),
  image: Type.Optional(FileParam),
  category: Category,
  visible_in_picker: Picker,
})
const Changes = Type.Object({
  image: Type.Optional(FileParam),
  category: Category,
  visible_in_picker: Picker,
  disabled: Type.Optional(Type.Boolean({ description: 'Texts show the shortcode of a disabled emoji.' })),
})
const EmojiCategory = Type.Object({ name: Type.String(), emojis_count: Type.Integer() })

/** Linnet's own: /api/v1/admin/custom_emojis. Clients read the local ones at /api/v1/custom_emojis. */
export async function adminCustomEmojis(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: custom emojis']
  const response = { 200: ref(AdminCustomEmoji) }
  const read = async (id: string): Promise<AdminCustomEmoji> =>
    renderAdminCustomEmoji(ctx.config, await getStaffEmoji(ctx, { id }))
  const listCategories = async (): Promise<Static<typeof EmojiCategory>[]> =>
    (await listEmojiCategories(ctx)).map(({ name, emojis }) => ({ name, emojis_count: emojis }))

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View local and remote custom emojis',
        querystring: Filters,
        response: { 200: Type.Array(ref(AdminCustomEmoji)) },
      },
    },
    async (request, reply): Promise<AdminCustomEmoji[]> => {
      const page = readPage(request.query, ADMIN_PAGE)
      const emojis = await listStaffEmojis(ctx, { page, filters: filtersOf(request.query) })
      const cursors = emojis.map(({ id }) => id)
      const carriedParams = Object.keys(FILTER_PARAMS)
      setLinkHeader(ctx, { request, reply, cursors, page, carriedParams, style: 'posts' })
      return emojis.map((emoji) => renderAdminCustomEmoji(ctx.config, emoji))
    },
  )

  api.get(
    '/categories',
    {
      schema: {
        tags,
        summary: 'View the categories of the local custom emojis',
        response: { 200: Type.Array(EmojiCategory) },
      },
    },
    async () => listCategories(),
  )

  api.put(
    '/categories',
    {
      schema: {
        tags,
        summary: 'Rename a category of the local custom emojis',
        description: 'If the new name exists, joins the two categories.',
        body: Type.Object({
          name: Type.Optional(Type.String({ description: 'Required. 404 if no emoji has this category.' })),
          new_name: Type.Optional(Type.String({ description: 'Required. At most 100 characters.' })),
        }),
        response: { 200: Type.Array(EmojiCategory) },
      },
    },
    async (request) => {
      const { name: from = '', new_name: to = '' } = request.body
      await ctx.write((tx) => renameEmojiCategory(tx, { by: staffOf(request), from, to }))
      return listCategories()
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a single custom emoji', params: IdParams, response } },
    async (request) => read(request.params.id),
  )

  api.post(
    '',
    {
      schema: { tags, summary: 'Add a custom emoji', consumes: ['multipart/form-data'], body: NewEmoji, response },
    },
    async (request) => {
      const { shortcode = '', image, category = null, visible_in_picker: listed = true } = request.body
      const blank = { code: 'ERR_BLANK', text: "can't be blank" }
      if (shortcode.trim() === '') throw new ValidationError([{ attribute: 'shortcode', ...blank }])
      if (!image) throw new ValidationError([{ attribute: 'image', ...blank }])
      const emoji = { shortcode, image: { path: image.path }, category, listed }
      const saved = await nameImageParameter('image', () =>
        saveEmoji(ctx, { by: staffOf(request), ...emoji, replaces: false }),
      )
      if (saved.outcome !== 'unchanged') return read(saved.id)
      throw new ValidationError([{ attribute: 'shortcode', code: 'ERR_TAKEN', text: 'has already been taken' }])
    },
  )

  api.put(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Update a custom emoji',
        description: 'Of a remote one, only `disabled` can be changed.',
        params: IdParams,
        consumes: BODY_TYPES_WITH_FILES,
        body: Changes,
        response,
      },
    },
    async (request) => {
      const { id } = request.params
      const { image, category, visible_in_picker: listed, disabled } = request.body
      const changes = { category, listed, disabled }
      await nameImageParameter('image', () =>
        updateEmoji(ctx, { id, by: staffOf(request), changes, image: image ? { path: image.path } : null }),
      )
      return read(id)
    },
  )

  api.post(
    '/:id/copy',
    {
      schema: {
        tags,
        summary: 'Copy a remote custom emoji to a local one',
        description: 'Responds with the local one. 422 if there is a local one with its shortcode.',
        params: IdParams,
        body: Type.Object({ category: Category }),
        response,
      },
    },
    async (request) => {
      const { category = null } = request.body
      return read(await copyEmoji(ctx, { id: request.params.id, by: staffOf(request), category }))
    },
  )

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Delete a custom emoji', params: IdParams, response: { 200: Type.Object({}) } } },
    async (request) => {
      await ctx.write((tx) => removeEmojiById(tx, { id: request.params.id, by: staffOf(request) }))
      return {}
    },
  )
}

/** Returns the filters. A domain that is not valid has no emojis. */
function filtersOf(query: Static<typeof Filters>): EmojiFilters {
  const { origin = null, category = null, disabled = null } = query
  const domain = query.by_domain?.trim() || null
  return {
    origin,
    domain: domain && (canonicalDomain(domain, { keepPort: true }) ?? domain),
    prefix: query.shortcode?.trim() || null,
    category: category || null,
    disabled,
  }
}

import { Type } from 'typebox'
import type { TOptional } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { changeSettings, listSettings, resetSetting } from '../../../../../domain/instance/instance-settings.ts'
import type { SettingName } from '../../../../../domain/instance/setting-definitions.ts'
import { SETTING_NAMES, SETTINGS } from '../../../../../domain/instance/setting-definitions.ts'
import { AdminDocumentPreview } from '../../../../../entities/admin/settings/admin-document-preview.ts'
import { AdminSetting } from '../../../../../entities/admin/settings/admin-setting.ts'
import { oneOf } from '../../../../../entities/schema/one-of.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { NotFoundError, ValidationError } from '../../../../../lib/errors.ts'
import { renderAdminSetting, settingKey } from '../../../../../render/admin/settings/render-admin-settings.ts'
import { renderDocumentPreview } from '../../../../../render/instance/render-documents.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'

const NAMES_BY_KEY: ReadonlyMap<string, SettingName> = new Map(SETTING_NAMES.map((name) => [settingKey(name), name]))

const MAX_DOCUMENT_CHARACTERS = 100_000

function parameterOf(name: SettingName): TOptional {
  const setting = SETTINGS[name]
  const { description } = setting
  if (setting.kind === 'switch') return Type.Optional(Type.Boolean({ description }))
  if (setting.kind === 'integer') {
    const { minimum, maximum, defaultValue } = setting
    return Type.Optional(Type.Integer({ description, minimum, maximum, 'x-null': defaultValue }))
  }
  if (setting.kind === 'choice') return Type.Optional(oneOf([...setting.values], { description }))
  return Type.Optional(
    Type.String({ description: `${description}; at most ${setting.maxCharacters} characters`, 'x-null': '' }),
  )
}

const Changes = Type.Object(Object.fromEntries([...NAMES_BY_KEY].map(([key, name]) => [key, parameterOf(name)])))

/** Linnet's own: /api/v1/admin/settings. The names are those of the command line, with underscores. */
export async function adminSettings(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: settings']
  // Checks for invalidations, so that a change in any process is visible at once.
  const list = async (): Promise<AdminSetting[]> =>
    (await listSettings({ db: ctx.db, config: ctx.config })).map(renderAdminSetting)

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all settings with their values and defaults',
        response: { 200: Type.Array(ref(AdminSetting)) },
      },
    },
    async () => list(),
  )

  api.patch(
    '',
    {
      schema: {
        tags,
        summary: 'Change settings',
        description: 'Changes all of them or, if a value is invalid, none. An empty text means the default.',
        body: Changes,
        response: { 200: Type.Array(ref(AdminSetting)) },
      },
    },
    async (request) => {
      const changes: { [Name in SettingName]?: string | boolean | number | undefined } = {}
      const body: { [key: string]: unknown } = request.body
      for (const [key, name] of NAMES_BY_KEY) changes[name] = body[key] as string | boolean | number | undefined
      await ctx.write((tx) => changeSettings(tx, { by: staffOf(request), changes }))
      return list()
    },
  )

  api.post(
    '/preview',
    {
      schema: {
        tags,
        summary: 'Convert a text in Markdown to the HTML of its page',
        description: 'For the texts of the settings and the terms of service. Stores nothing.',
        body: Type.Object({
          text: Type.Optional(Type.String({ description: 'Markdown, at most 100,000 characters.', 'x-null': '' })),
        }),
        response: { 200: ref(AdminDocumentPreview) },
      },
    },
    async (request) => {
      const { text = '' } = request.body
      if (text.length > MAX_DOCUMENT_CHARACTERS) {
        const tooLong = `is too long (maximum is ${MAX_DOCUMENT_CHARACTERS} characters)`
        throw new ValidationError([{ attribute: 'text', code: 'ERR_TOO_LONG', text: tooLong }])
      }
      return renderDocumentPreview(ctx, { text })
    },
  )

  api.delete(
    '/:name',
    {
      schema: {
        tags,
        summary: 'Reset a setting to its default',
        params: Type.Object({ name: Type.String() }),
        response: { 200: ref(AdminSetting) },
      },
    },
    async (request) => {
      const key = request.params.name
      const name = NAMES_BY_KEY.get(key)
      if (name === undefined) throw new NotFoundError()
      await ctx.write((tx) => resetSetting(tx, { by: staffOf(request), name }))
      return (await list()).find((setting) => setting.name === key)!
    },
  )
}

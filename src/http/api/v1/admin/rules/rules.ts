import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import {
  addRule,
  getRule,
  listStaffRules,
  removeRule,
  removeTranslation,
  reorderRules,
  translateRule,
  updateRule,
} from '../../../../../domain/instance/rules.ts'
import { AdminRule } from '../../../../../entities/admin/settings/admin-rule.ts'
import { Id } from '../../../../../entities/schema/id.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { renderAdminRule } from '../../../../../render/admin/settings/render-admin-rule.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { IdParams, PathId } from '../../../../support/request/path-params.ts'

const RuleBody = Type.Object({
  text: Type.Optional(Type.String({ description: 'Required for a new rule. At most 300 characters.' })),
  hint: Type.Optional(Type.String({ description: 'A longer explanation, at most 1000 characters.' })),
})
const TranslationParams = Type.Object({ id: PathId, language: Type.String({ description: 'Such as `de`.' }) })

/** Linnet's own: /api/v1/admin/rules. Rules have few rows, so the list has no pages. */
export async function adminRules(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: rules']
  const response = { 200: ref(AdminRule) }
  const read = async (id: string): Promise<AdminRule> => renderAdminRule(await getRule(ctx, { id }))

  api.get(
    '',
    { schema: { tags, summary: 'View all rules in their order', response: { 200: Type.Array(ref(AdminRule)) } } },
    async () => (await listStaffRules(ctx)).map(renderAdminRule),
  )

  api.get('/:id', { schema: { tags, summary: 'View a single rule', params: IdParams, response } }, async (request) =>
    read(request.params.id),
  )

  api.post('', { schema: { tags, summary: 'Add a rule after the others', body: RuleBody, response } }, (request) => {
    const { text = '', hint = '' } = request.body
    return ctx.write((tx) => addRule(tx, { by: staffOf(request), text, hint })).then(read)
  })

  api.post(
    '/reorder',
    {
      schema: {
        tags,
        summary: 'Change the order of the rules',
        body: Type.Object({
          rule_ids: Type.Optional(
            Type.Array(Id, { description: 'The ids of all rules in the new order; 422 if one is missing or unknown.' }),
          ),
        }),
        response: { 200: Type.Array(ref(AdminRule)) },
      },
    },
    async (request) => {
      const { rule_ids: ids = [] } = request.body
      await ctx.write((tx) => reorderRules(tx, { by: staffOf(request), ids }))
      return (await listStaffRules(ctx)).map(renderAdminRule)
    },
  )

  api.put(
    '/:id',
    { schema: { tags, summary: 'Update a rule', params: IdParams, body: RuleBody, response } },
    async (request) => {
      const { id } = request.params
      const { text, hint } = request.body
      await ctx.write((tx) => updateRule(tx, { id, by: staffOf(request), text, hint }))
      return read(id)
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Delete a rule',
        description: 'Existing reports still refer to it.',
        params: IdParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      await ctx.write((tx) => removeRule(tx, { id: request.params.id, by: staffOf(request) }))
      return {}
    },
  )

  api.put(
    '/:id/translations/:language',
    {
      schema: {
        tags,
        summary: 'Add or replace the translation of a rule',
        params: TranslationParams,
        body: Type.Object({
          text: Type.Optional(Type.String({ description: 'Required. At most 300 characters.' })),
          hint: Type.Optional(Type.String({ description: 'At most 1000 characters.' })),
        }),
        response,
      },
    },
    async (request) => {
      const { id, language } = request.params
      const { text = '', hint = '' } = request.body
      await ctx.write((tx) => translateRule(tx, { id, by: staffOf(request), language, text, hint }))
      return read(id)
    },
  )

  api.delete(
    '/:id/translations/:language',
    { schema: { tags, summary: 'Remove the translation of a rule', params: TranslationParams, response } },
    async (request) => {
      const { id, language } = request.params
      await ctx.write((tx) => removeTranslation(tx, { id, by: staffOf(request), language }))
      return read(id)
    },
  )
}

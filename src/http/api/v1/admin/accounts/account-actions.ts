import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Ctx, Tx } from '../../../../../domain/context.ts'
import { changeRole, demoteAccount, promoteAccount } from '../../../../../domain/moderation/accounts/change-role.ts'
import type { ActionInput } from '../../../../../domain/moderation/lock-target.ts'
import {
  ACCOUNT_ACTIONS,
  approvePendingAccount,
  deleteSuspendedAccount,
  enableAccount,
  endMemorial,
  endSuspension,
  makeMemorial,
  rejectPendingAccount,
  takeAccountAction,
  unmarkAccountAsSensitive,
  unsilenceAccount,
} from '../../../../../domain/moderation/accounts/moderate-account.ts'
import type { UndoInput } from '../../../../../domain/moderation/accounts/moderate-account.ts'
import { requestKeyRotation } from '../../../../../domain/moderation/accounts/rotate-keys.ts'
import { AdminAccount } from '../../../../../entities/admin/accounts/admin-account.ts'
import { Id } from '../../../../../entities/schema/id.ts'
import { oneOf } from '../../../../../entities/schema/one-of.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ValidationError } from '../../../../../lib/errors.ts'
import { isBlank } from '../../../../../lib/text/is-blank.ts'
import { renderAdminAccount } from '../../../../../render/admin/accounts/render-admin-accounts.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { IdParams } from '../../../../support/request/path-params.ts'
import { sendJson } from '../../../../support/response/send.ts'

const Action = Type.Object({
  // Mastodon validates the type with the other parameters: without it the request is invalid, not incomplete.
  type: Type.Optional(
    oneOf([...ACCOUNT_ACTIONS], {
      description: 'Required: `none` sends only a warning; `silence` limits the account.',
    }),
  ),
  report_id: Type.Optional(Type.String({ description: 'The report that led to the action; it is resolved.' })),
  warning_preset_id: Type.Optional(
    Type.String({ description: 'The warning preset whose text comes before `text`. 404 if there is none.' }),
  ),
  text: Type.Optional(Type.String({ description: 'For the user. Up to 2,000 characters.' })),
  send_email_notification: Type.Optional(
    Type.Boolean({ description: 'Whether the user is notified by mail and in the app. Default: true.' }),
  ),
})

const Undo = Type.Object({
  reopen_reports: Type.Optional(
    Type.Boolean({ description: 'Whether the reports that the action resolved are unresolved again. Default: false.' }),
  ),
})

type Act = (tx: Tx, input: ActionInput) => Promise<void>

/** The ends of moderation actions, which return the account. */
const UNDOS: readonly [path: string, summary: string, undo: (tx: Tx, input: UndoInput) => Promise<void>][] = [
  ['enable', 'Re-enable a disabled account', enableAccount],
  ['unsilence', 'Unsilence an account', unsilenceAccount],
  ['unsuspend', 'Unsuspend an account', endSuspension],
  ['unsensitive', 'Unmark an account as sensitive', unmarkAccountAsSensitive],
]

/** Other actions that return the account. */
const ACTIONS: readonly [path: string, summary: string, act: Act][] = [
  ['approve', 'Approve a pending account', approvePendingAccount],
  ['memorialize', 'Make the account of a user a memorial', makeMemorial],
  ['unmemorialize', 'Make a memorial the account of its user again', endMemorial],
  ['promote', 'Promote a user to moderator, or a moderator to admin', promoteAccount],
  ['demote', 'Demote an admin to moderator, or a moderator to user', demoteAccount],
]

/**
 * Mastodon: POST and DELETE /api/v1/admin/accounts/:id, and Linnet's own: memorialize, unmemorialize, promote,
 * demote, rotate_keys and PUT …/role
 */
export async function adminAccountActions(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: accounts']
  const inputOf = (request: FastifyRequest): ActionInput => ({
    accountId: (request.params as { id: string }).id,
    by: staffOf(request),
  })
  const sendAccount = async (request: FastifyRequest, reply: FastifyReply) => {
    const { accountId: id } = inputOf(request)
    return sendJson(reply, await ctx.read(renderAdminAccount, { id, staff: staffOf(request) }))
  }

  api.post(
    '/:id/action',
    {
      schema: {
        tags,
        summary: 'Perform an action against an account',
        params: IdParams,
        body: Action,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { type: action, text, send_email_notification: notify } = request.body
      const { report_id: reportId = '', warning_preset_id: presetId = '' } = request.body
      if (!action) throw new ValidationError([{ attribute: 'type', code: 'ERR_BLANK', text: "can't be blank" }])
      const input = {
        ...inputOf(request),
        action,
        ...(text !== undefined && { text }),
        ...(!isBlank(presetId) && { presetId }),
        ...(!isBlank(reportId) && { reportId }),
        ...(notify !== undefined && { notify }),
      }
      await ctx.write((tx) => takeAccountAction(tx, input))
      return {}
    },
  )

  for (const [path, summary, undo] of UNDOS) {
    api.post(
      `/:id/${path}`,
      { schema: { tags, summary, params: IdParams, body: Type.Optional(Undo), response: { 200: ref(AdminAccount) } } },
      async (request, reply) => {
        const reopensReports = request.body?.reopen_reports === true
        await ctx.write((tx) => undo(tx, { ...inputOf(request), reopensReports }))
        return sendAccount(request, reply)
      },
    )
  }

  for (const [path, summary, act] of ACTIONS) {
    api.post(
      `/:id/${path}`,
      { schema: { tags, summary, params: IdParams, response: { 200: ref(AdminAccount) } } },
      async (request, reply) => {
        await ctx.write((tx) => act(tx, inputOf(request)))
        return sendAccount(request, reply)
      },
    )
  }

  api.put(
    '/:id/role',
    {
      schema: {
        tags,
        summary: 'Change the role of a user',
        params: IdParams,
        body: Type.Object({ role_id: Type.With(Id, { description: '`-99` removes the role.' }) }),
        response: { 200: ref(AdminAccount) },
      },
    },
    async (request, reply) => {
      await ctx.write((tx) => changeRole(tx, { ...inputOf(request), roleId: request.body.role_id }))
      return sendAccount(request, reply)
    },
  )

  /** Actions that return an empty object. */
  const ends: readonly [method: 'POST' | 'DELETE', url: string, summary: string, act: Act][] = [
    ['POST', '/:id/reject', 'Reject a pending account, which is deleted', rejectPendingAccount],
    ['POST', '/:id/rotate_keys', 'Replace the key with which a local account signs', requestKeyRotation],
    ['DELETE', '/:id', 'Delete a suspended account and all its data permanently', deleteSuspendedAccount],
  ]
  for (const [method, url, summary, act] of ends) {
    api.route({
      method,
      url,
      schema: { tags, summary, params: IdParams, response: { 200: Type.Object({}) } },
      handler: async (request) => {
        await ctx.write((tx) => act(tx, inputOf(request)))
        return {}
      },
    })
  }
}

import { Type } from 'typebox'
import type { Ctx, Tx } from '../../../../domain/context.ts'
import { endorseAccount, unendorseAccount } from '../../../../domain/relationships/endorsements/endorse-account.ts'
import { saveAccountNote } from '../../../../domain/relationships/notes/save-account-note.ts'
import { blockAccount } from '../../../../domain/relationships/blocks/block-account.ts'
import { followAccount } from '../../../../domain/relationships/follows/follow-account.ts'
import { muteAccount } from '../../../../domain/relationships/mutes/mute-account.ts'
import { removeFollower } from '../../../../domain/relationships/follows/remove-follower.ts'
import { unblockAccount } from '../../../../domain/relationships/blocks/unblock-account.ts'
import { unfollowAccount } from '../../../../domain/relationships/follows/unfollow-account.ts'
import { unmuteAccount } from '../../../../domain/relationships/mutes/unmute-account.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { deprecatedSince } from '../../../support/response/deprecation.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { countAction } from '../../../support/rate-limits/rate-limits.ts'
import {
  RELATIONSHIP_PARAMS,
  RelationshipResponse,
  renderRelationship,
} from '../../../support/response/render-relationship.ts'
import { THROTTLES } from '../../../support/rate-limits/throttles.ts'

type RelationshipOperation = (tx: Tx, pair: { accountId: string; targetAccountId: string }) => Promise<void>

/** Operations that take the two accounts and no options. */
const SIMPLE_ACTIONS: [path: string, operation: RelationshipOperation, summary: string, deprecated?: object][] = [
  ['unfollow', unfollowAccount, 'Unfollow an account or cancel a follow request'],
  [
    'remove_from_followers',
    (tx, { accountId, targetAccountId: followerId }) => removeFollower(tx, { accountId, followerId }),
    'Remove an account from your followers',
  ],
  ['block', blockAccount, 'Block an account'],
  ['unblock', unblockAccount, 'Unblock an account'],
  ['unmute', unmuteAccount, 'Unmute an account'],
  ['endorse', endorseAccount, 'Feature an account that you follow on your profile'],
  ['unendorse', unendorseAccount, 'Stop featuring an account on your profile'],
  ['pin', endorseAccount, 'Feature an account on your profile (use `endorse`)', deprecatedSince('2025-07-08')],
  [
    'unpin',
    unendorseAccount,
    'Stop featuring an account on your profile (use `unendorse`)',
    deprecatedSince('2025-07-08'),
  ],
]

/**
 * Follows, mutes, blocks, endorses an account, removes a follower and writes a private note. Each route returns the
 * resulting relationship. Mastodon: POST /api/v1/accounts/:id/follow and its siblings.
 */
export async function accountActions(api: TypedFastify, ctx: Ctx): Promise<void> {
  const schemaOf = (summary: string) => ({
    tags: ['accounts'],
    summary,
    params: IdParams,
    querystring: Type.Object(RELATIONSHIP_PARAMS),
    response: { 200: RelationshipResponse },
  })

  api.post(
    '/:id/follow',
    {
      schema: {
        ...schemaOf('Follow an account, or change the options of a follow'),
        body: Type.Object({
          reblogs: Type.Optional(
            Type.Boolean({ description: 'Show boosts by this account in your home timeline. True for a new follow.' }),
          ),
          notify: Type.Optional(Type.Boolean({ description: 'Notify you when this account posts.' })),
          languages: Type.Optional(
            Type.Array(Type.String(), { description: 'Only posts in these languages (ISO 639). Empty: all.' }),
          ),
        }),
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      const { reblogs: showReblogs, notify, languages } = request.body
      const options = { showReblogs, notify, languages }
      const { assumed } = await countAction(ctx, { request, reply, throttle: THROTTLES.follows, accountId }, () =>
        ctx.write((tx) => followAccount(tx, { accountId, targetAccountId: id, options })),
      )
      return renderRelationship(ctx, { id, viewerId: accountId, query: request.query, assumed })
    },
  )

  api.post(
    '/:id/mute',
    {
      schema: {
        ...schemaOf('Mute an account, or change the options of a mute'),
        body: Type.Object({
          notifications: Type.Optional(
            Type.Boolean({ description: 'Hide notifications from this account too. Defaults to true.' }),
          ),
          duration: Type.Optional(Type.Integer({ description: 'Seconds. 0: until you unmute the account.' })),
        }),
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      const { notifications: hideNotifications, duration: durationSeconds } = request.body
      await ctx.write((tx) => muteAccount(tx, { accountId, targetAccountId: id, hideNotifications, durationSeconds }))
      return renderRelationship(ctx, { id, viewerId: accountId, query: request.query })
    },
  )

  api.post(
    '/:id/note',
    {
      schema: {
        ...schemaOf('Set a private note on an account'),
        body: Type.Object({
          comment: Type.Optional(Type.String({ description: 'At most 2,000 characters. Blank: removes the note.' })),
        }),
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      const { comment = '' } = request.body
      await ctx.write((tx) => saveAccountNote(tx, { accountId, targetAccountId: id, comment }))
      return renderRelationship(ctx, { id, viewerId: accountId, query: request.query })
    },
  )

  for (const [path, operation, summary, deprecated] of SIMPLE_ACTIONS) {
    api.post(`/:id/${path}`, { schema: { ...schemaOf(summary), ...deprecated } }, async (request) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      await ctx.write((tx) => operation(tx, { accountId, targetAccountId: id }))
      return renderRelationship(ctx, { id, viewerId: accountId, query: request.query })
    })
  }
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account, AccountShared } from '../entities/accounts/account.ts'
import type { Poll } from '../entities/statuses/poll.ts'
import type {
  Status,
  StatusContent,
  StatusCounters,
  StatusForViewer,
  StatusShared,
} from '../entities/statuses/status.ts'
import { entity, entityJson } from '../lib/json/entity-json.ts'
import { createFragment, extendFragment, joinFragment } from '../lib/json/fragment.ts'
import type { Complete } from '../lib/json/entity-json.ts'
import type { Fragment } from '../lib/json/fragment.ts'
import type { EntityJson } from '../lib/json/json-content.ts'

// The compiler runs these tests: `npm run check` fails if a line below `@ts-expect-error` compiles. The functions are
// never called.

declare const content: Complete<StatusContent>
declare const shared: Fragment<StatusShared>
declare const account: EntityJson<Account>
declare const status: EntityJson<Status>
declare const forViewer: Complete<StatusForViewer>

const counters = { sensitive: false, replies_count: 0, reblogs_count: 0, favourites_count: 0, quotes_count: 0 }
const poll = { id: '1', expires_at: null, expired: true, multiple: false, votes_count: 0, voters_count: 0 }

const sharedFields = {
  complete: () =>
    extendFragment<StatusContent, StatusCounters>(createFragment<StatusContent>(content), { ...counters, emojis: [] }),
  omitted: () =>
    // @ts-expect-error `emojis` is missing
    createFragment<StatusCounters>({ ...counters }),
  misspelt: () =>
    // @ts-expect-error `emoji` is no field
    createFragment<StatusCounters>({ ...counters, emoji: [] }),
  misspeltBeside: () =>
    // @ts-expect-error `emoji` is no field
    createFragment<StatusCounters>({ ...counters, emojis: [], emoji: [] }),
  wrong: () =>
    // @ts-expect-error `emojis` is a list
    createFragment<StatusCounters>({ ...counters, emojis: null }),
  withoutName: () =>
    // @ts-expect-error the type of the entity is missing
    createFragment({ ...counters, emojis: [] }),
}

const viewerFields = {
  complete: () => joinFragment<Status, StatusShared>(shared, { ...forViewer, account, pinned: undefined }),
  omitted: ({ account: _account, ...others }: typeof forViewer) =>
    // @ts-expect-error `account` is missing
    joinFragment<Status, StatusShared>(shared, others),
  optionalOmitted: ({ pinned: _pinned, ...others }: typeof forViewer) =>
    // @ts-expect-error `pinned` is missing: an omitted field must be undefined
    joinFragment<Status, StatusShared>(shared, others),
  misspelt: ({ pinned: _pinned, ...others }: typeof forViewer) =>
    // @ts-expect-error `pined` is no field
    joinFragment<Status, StatusShared>(shared, { ...others, pined: true }),
  misspeltBeside: () =>
    // @ts-expect-error `favorited` is no field
    joinFragment<Status, StatusShared>(shared, { ...forViewer, favorited: true }),
  wrongPart: () =>
    // @ts-expect-error the shared part is that of a status
    joinFragment<Account, AccountShared>(shared, {
      feature_approval: { automatic: [], manual: [], current_user: 'denied' },
      moved: undefined,
    }),
  sharedTwice: () =>
    // @ts-expect-error `content` is in the shared part
    joinFragment<Status, StatusShared>(shared, { ...forViewer, content: '' }),
}

const nestedEntities = {
  complete: () => joinFragment<Status, StatusShared>(shared, { ...forViewer, account, reblog: status }),
  wrongEntity: () =>
    // @ts-expect-error `account` is an Account
    joinFragment<Status, StatusShared>(shared, { ...forViewer, account: status }),
  text: () =>
    // @ts-expect-error text is no JSON of an entity
    joinFragment<Status, StatusShared>(shared, { ...forViewer, account: '{"id":"1"}' }),
  incomplete: () =>
    // @ts-expect-error `voted` and `own_votes` are missing
    entityJson<Poll>({ ...poll, options: [], emojis: [] }),
}

const objects = {
  complete: () => entity<Poll>({ ...poll, options: [], emojis: [], voted: undefined, own_votes: undefined }),
  omitted: () =>
    // @ts-expect-error `own_votes` is missing
    entity<Poll>({ ...poll, options: [], emojis: [], voted: true }),
  misspelt: () =>
    // @ts-expect-error `own_vote` is no field
    entity<Poll>({ ...poll, options: [], emojis: [], voted: true, own_votes: [], own_vote: [] }),
  nestedWrong: () =>
    // @ts-expect-error an option has a title
    entity<Poll>({ ...poll, options: [{ votes_count: 1 }], emojis: [], voted: undefined, own_votes: undefined }),
}

test('an entity with a missing, misspelt or wrong field does not compile', () => {
  for (const cases of [sharedFields, viewerFields, nestedEntities, objects]) {
    assert.ok(Object.keys(cases).length > 2)
  }
})

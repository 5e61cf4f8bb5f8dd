import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account } from '../../lib/api/entities.ts'
import { mergeNewer, namesOf, toLoadedGroups } from './notification-groups.ts'
import type { LoadedGroup } from './notification-groups.ts'

const accounts = ['1', '2', '3', '4', '5'].map((id) => ({ id }) as Account)
const group = (groupKey: string, id: string) => ({ groupKey, id }) as LoadedGroup

test('a group shows three names and counts the others', () => {
  const names = (count: number) => {
    const { shown, otherCount } = namesOf({ accounts: accounts.slice(0, count), notificationsCount: count })
    return [shown.map(({ id }) => id).join(''), otherCount]
  }
  assert.deepEqual([1, 2, 3, 4, 5].map(names), [
    ['1', 0],
    ['12', 0],
    ['123', 0],
    ['123', 1],
    ['123', 2],
  ])
})

test('a group counts notifications beyond its sample, and an account that is in it twice only once', () => {
  assert.equal(namesOf({ accounts, notificationsCount: 100 }).otherCount, 97)
  assert.equal(namesOf({ accounts: [accounts[0]!, accounts[0]!], notificationsCount: 2 }).otherCount, 0)
})

test('a group that has grown moves to the top', () => {
  const pages = [[group('a', '5'), group('b', '4')], [group('c', '3')]]
  const merged = mergeNewer(pages, [group('c', '7'), group('d', '6')])
  assert.deepEqual(
    merged.map((page) => page.map(({ groupKey, id }) => `${groupKey}${id}`)),
    [['c7', 'd6', 'a5', 'b4'], []],
  )
})

test('groups get their accounts, and the exact id of their newest notification', () => {
  const [loaded] = toLoadedGroups({
    accounts,
    statuses: [],
    notificationGroups: [
      {
        groupKey: 'favourite-1-1',
        notificationsCount: 2,
        type: 'favourite',
        mostRecentNotificationId: 116_000_000_000_000_000,
        pageMaxId: '116000000000000001',
        sampleAccountIds: ['2', '1'],
      },
    ],
  })
  assert.equal(loaded!.id, '116000000000000001')
  assert.deepEqual(
    loaded!.accounts.map(({ id }) => id),
    ['2', '1'],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasPermission } from './staff-permissions.ts'

test('a role has the permissions of its bits', () => {
  assert.equal(hasPermission('16', 'manageReports'), true)
  assert.equal(hasPermission('16', 'manageUsers'), false)
  assert.equal(hasPermission('0', 'viewDashboard'), false)
})

test('an administrator has all permissions', () => {
  assert.equal(hasPermission('1', 'deleteUserData'), true)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasPermission, isStaff } from './staff-permissions.ts'

test('a role has the permissions of its bits', () => {
  assert.equal(hasPermission('16', 'manageReports'), true)
  assert.equal(hasPermission('16', 'manageUsers'), false)
  assert.equal(hasPermission('0', 'viewDashboard'), false)
})

test('an administrator has all permissions', () => {
  assert.equal(hasPermission('1', 'deleteUserData'), true)
})

test('the administration is for roles that permit any of its pages', () => {
  assert.equal(isStaff('1'), true)
  assert.equal(isStaff(String(1 << 4)), true)
  assert.equal(isStaff(String(1 << 19)), false)
  assert.equal(isStaff('0'), false)
})

import type { Command } from 'commander'
import { lookupAccount } from '../../../domain/accounts/lookup/lookup-account.ts'
import type { Tx } from '../../../domain/context.ts'
import { changeRole } from '../../../domain/moderation/accounts/change-role.ts'
import type { ActionInput } from '../../../domain/moderation/lock-target.ts'
import {
  enableAccount,
  endMemorial,
  endSuspension,
  makeMemorial,
  rejectPendingAccount,
  takeAccountAction,
  unmarkAccountAsSensitive,
  unsilenceAccount,
} from '../../../domain/moderation/accounts/moderate-account.ts'
import type { AccountAction } from '../../../domain/moderation/accounts/moderate-account.ts'
import { ForbiddenError, NotFoundError } from '../../../lib/errors.ts'
import { CommandError } from '../../command-error.ts'
import { requireData } from '../../data-use.ts'
import { findRole } from '../../input/find-role.ts'
import type { RunCommand } from '../../run-command.ts'

const ACTIONS: readonly [name: string, action: AccountAction, description: string][] = [
  ['warn', 'none', 'send a warning to a local user'],
  ['disable', 'disable', 'freeze a local account: its user can log in only to see strikes and to appeal'],
  ['sensitive', 'sensitive', 'mark all posts of an account as sensitive'],
  ['limit', 'silence', 'hide an account from users who do not follow it'],
  ['suspend', 'suspend', 'hide an account and its posts'],
]

/** Actions of which the user is not notified. */
const UNNOTIFIED_ACTIONS: readonly [
  name: string,
  act: (tx: Tx, input: ActionInput) => Promise<void>,
  description: string,
][] = [
  ['enable', enableAccount, 'let a disabled user log in again'],
  ['unsensitive', unmarkAccountAsSensitive, 'show the posts of an account as their author marked them'],
  ['unlimit', unsilenceAccount, 'end the limit of an account'],
  ['unsuspend', endSuspension, 'end the suspension of an account'],
  ['memorialize', makeMemorial, 'make the account of a local user a memorial, to which nobody can log in'],
  ['unmemorialize', endMemorial, 'end the memorial, so that the user can log in again'],
  ['reject', rejectPendingAccount, 'reject a pending sign-up and delete its account'],
]

interface ActionOptions {
  text: string
  notify: boolean
}

/** Adds the commands of `linnet accounts` that moderate accounts, local and remote. */
export function accountActionCommands(accounts: Command, run: RunCommand): void {
  const moderate = (handle: string, act: (tx: Tx, input: ActionInput) => Promise<void>) =>
    run(async (ctx) => {
      try {
        const accountId = await lookupAccount(ctx, { handle })
        await ctx.write((tx) => act(tx, { accountId, by: null }))
      } catch (err) {
        if (err instanceof NotFoundError) throw new CommandError(`No account is named ${handle}`)
        if (err instanceof ForbiddenError) throw new CommandError(`This is not possible for ${handle} in its state`)
        throw err
      }
      console.log('OK')
    })
  for (const [name, action, description] of ACTIONS) {
    requireData(accounts.command(`${name} <handle>`))
      .description(description)
      .option('--text <text>', 'text for the user', '')
      .option('--no-notify', 'do not notify the user')
      .action((handle: string, { text, notify }: ActionOptions) =>
        moderate(handle, (tx, input) => takeAccountAction(tx, { ...input, action, text, notify })),
      )
  }
  for (const [name, act, description] of UNNOTIFIED_ACTIONS) {
    requireData(accounts.command(`${name} <handle>`))
      .description(description)
      .action((handle: string) => moderate(handle, act))
  }
  requireData(accounts.command('role <name> <role>'))
    .description('change the role of a local user: user, moderator, admin, owner, or a role of "roles list"')
    .action((handle: string, role: string) =>
      moderate(handle, async (tx, input) => {
        const { id: roleId } = await findRole(tx, { text: role })
        await changeRole(tx, { ...input, roleId })
      }),
    )
}

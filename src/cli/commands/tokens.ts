import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { issueTokenForUser } from '../../domain/auth/access-tokens.ts'
import { findNearestName } from '../../lib/find-nearest-name.ts'
import { ALL_SCOPES, areKnownScopes, parseScopes } from '../../lib/http/scopes.ts'
import { requireData } from '../data-use.ts'
import { usernameIn } from '../input/find-account-id.ts'
import type { RunCommand } from '../run-command.ts'

const DEFAULT_SCOPES = 'read write follow push'

/** Adds `linnet tokens`, which creates access tokens for scripts. */
export function tokensCommand(program: Command, run: RunCommand): void {
  const tokens = program.command('tokens').description('create access tokens for scripts')
  requireData(tokens.command('create <name>'))
    .description('create an access token for a local user and print only the token')
    .addOption(
      new Option('--scopes <list>', 'scopes, separated by spaces')
        .default(parseScopes(DEFAULT_SCOPES), DEFAULT_SCOPES)
        .argParser(readScopes),
    )
    .action((name: string, { scopes }: { scopes: readonly string[] }) =>
      run(async (ctx) => {
        const { token } = await ctx.write((tx) => issueTokenForUser(tx, { username: usernameIn(tx, { name }), scopes }))
        console.log(token)
      }),
    )
}

function readScopes(text: string): string[] {
  const scopes = parseScopes(text)
  if (scopes.length === 0) throw new InvalidArgumentError('It must have at least one scope.')
  const unknown = scopes.find((scope) => !areKnownScopes([scope]))
  if (unknown === undefined) return scopes
  const suggestion = findNearestName(unknown, ALL_SCOPES)
  throw new InvalidArgumentError(
    `There is no scope ${unknown}.${suggestion === null ? '' : ` Did you mean ${suggestion}?`}`,
  )
}

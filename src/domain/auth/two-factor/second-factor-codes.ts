import type { Ctx, Tx } from '../../context.ts'
import { matchTotp, useTotp } from './authenticator-app.ts'
import type { TotpMatch } from './authenticator-app.ts'
import { useRecoveryCode } from './recovery-codes.ts'

/** A code that a user entered: of the authenticator app, or possibly a recovery code. */
export interface EnteredCode {
  readonly userId: string
  readonly code: string
  /** null: it is not a code of the app at this time. */
  readonly match: TotpMatch | null
}

/** Compares an entered code with the user's authenticator app, before the transaction that uses it. */
export async function checkCode(ctx: Ctx, { userId, code }: { userId: string; code: string }): Promise<EnteredCode> {
  return { userId, code, match: await matchTotp(ctx, { userId, code }) }
}

/** Uses a code of the app or a recovery code. Returns false if it is wrong or was used before. */
export async function useCode(tx: Tx, { userId, code, match }: EnteredCode): Promise<boolean> {
  return match ? useTotp(tx, { userId, match }) : useRecoveryCode(tx, { userId, code })
}

import { runImports } from '../domain/transfers/imports/run-imports.ts'
import type { EffectsOf } from './effect-table.ts'

/** What follows from imports of users. */
export const transferEffects = {
  'account_import.due': { runImports },
} satisfies EffectsOf<'account_import'>

import { ROLES, type Role, scopesOf } from '@muster/contracts';
import type { Product, TokenIssuer } from '@muster/testing';
import mongoose from 'mongoose';
import { v7 } from 'uuid';

export interface Organization {
  id: string;
  /** A new token of the organization's member with that role; `claims` go over it. */
  token(role: Role, claims?: Parameters<TokenIssuer['sign']>[0]): string;
}

/** Makes an organization with one member of each role, as identity stores them. */
export async function newOrganization(product: Product, issuer: TokenIssuer): Promise<Organization> {
  const org_id = v7();
  const people = new Map(ROLES.map((role) => [role, v7()]));
  const connection = await mongoose
    .createConnection(product.engines.mongodbUri, { dbName: `${product.engines.mongodbDb}_identity` })
    .asPromise();
  const now = new Date();
  const into = (name: string, rows: object[]) => connection.collection(name).insertMany(rows);
  await into('organizations', [{ _id: org_id as never, org_id, name: 'Example', created_at: now }]);
  await into(
    'users',
    [...people].map(([role, id]) => ({
      _id: id as never,
      org_id,
      name: role,
      email: `${role}@${org_id}.example.org`,
      created_at: now,
    })),
  );
  await into(
    'members',
    [...people].map(([role, user_id]) => ({
      _id: v7() as never,
      org_id,
      user_id,
      role,
      status: 'active',
      version: 1,
      joined_at: now,
      name: role,
      email: `${role}@${org_id}.example.org`,
    })),
  );
  await connection.close();
  return {
    id: org_id,
    token: (role, claims = {}) =>
      issuer.sign({
        org: org_id,
        sub: people.get(role),
        name: role,
        role,
        scopes: scopesOf(role),
        ...claims,
      }),
  };
}

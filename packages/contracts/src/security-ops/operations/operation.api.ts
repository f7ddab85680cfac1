import { z } from 'zod';
import { api, endpoint } from '../../core/endpoint.ts';
import { filter, listOf, page } from '../../core/lists.ts';
import { id, technique, text, timestamp } from '../../core/primitives.ts';
import { LAYER_DOMAINS, navigatorLayer } from '../layers/layer.schemas.ts';
import {
  importedLogs,
  OPERATION_LIMITS,
  OPERATION_STATUSES,
  operation,
  operationImportResult,
  operationInput,
  operationSummary,
} from './operation.schemas.ts';

const params = z.object({ id: id.meta({ description: 'id of the operation' }) });

export const operationsApi = api({
  service: 'security-ops',
  tag: 'Operations',
  about: 'Purple-team operations: what red did, what blue saw.',
  endpoints: {
    listOperations: endpoint({
      method: 'GET',
      path: '/api/operations/',
      summary: 'List purple-team operations',
      description:
        'Newest first, with the metrics of each: how much of what was executed was prevented or detected, and how fast.',
      role: 'viewer',
      scope: 'operations:read',
      query: z.strictObject({
        ...page,
        status: filter(z.enum(OPERATION_STATUSES), 'how far it is'),
        technique: filter(technique, 'with its sub-techniques'),
        q: filter(text(200), 'words that all stand in name or objective'),
        from: filter(timestamp, 'started at or after'),
        to: filter(timestamp, 'started before'),
      }),
      responses: { 200: listOf(operationSummary) },
    }),
    createOperation: endpoint({
      method: 'POST',
      path: '/api/operations/',
      summary: 'Create an operation',
      description:
        'Planned, running, or written down when it is over. A revoked technique is kept under the id that took its place. `result` may be left out: prevented before detected, before logged (a `source` without a detection), before missed; not_run without an execution. Completing it without `ended_at` ends it with what was noted last.',
      role: 'member',
      scope: 'operations:write',
      body: operationInput,
      responses: { 201: operation },
    }),
    importOperations: endpoint({
      method: 'POST',
      path: '/api/operations/import/',
      summary: 'Import the log of executed techniques, as ATTiRe 1.1',
      description:
        'One log answers 201 with a running operation whose blue side is to be filled in, or 200 with the one of the same execution id. An array of at most 100 logs answers 200 with what became of each. Steps of unknown techniques and times that cannot be read are left out and named in `imported.skipped`.',
      role: 'member',
      scope: 'operations:write',
      body: importedLogs,
      maxBytes: OPERATION_LIMITS.importBytes,
      responses: {
        200: z
          .union([operationImportResult, operation])
          .meta({ example: operationImportResult.meta()?.example }),
        201: operation,
      },
    }),
    getOperation: endpoint({
      method: 'GET',
      path: '/api/operations/{id}/',
      summary: 'Return one operation with red and blue side of every technique',
      description:
        'For each technique what the red side did and when, what the blue side saw, and the result that follows.',
      role: 'viewer',
      scope: 'operations:read',
      params,
      responses: { 200: operation },
    }),
    updateOperation: endpoint({
      method: 'PUT',
      path: '/api/operations/{id}/',
      summary: 'Replace an operation, move its status on',
      description:
        'From planned to running to completed, one step at a time; 409 for any other way, and for one that is completed.',
      role: 'member',
      scope: 'operations:write',
      params,
      body: operationInput,
      responses: { 200: operation },
    }),
    deleteOperation: endpoint({
      method: 'DELETE',
      path: '/api/operations/{id}/',
      summary: 'Delete an operation; what it proved counts no more',
      description: 'It is taken out of coverage as well. 404 where there is none.',
      role: 'member',
      scope: 'operations:write',
      params,
      responses: { 204: null },
    }),
    getOperationLayer: endpoint({
      method: 'GET',
      path: '/api/operations/{id}/layer/',
      summary: 'Return the operation as a layer for the ATT&CK Navigator 4.5',
      description:
        'One score for each technique by its result, with the notes as comments, as the Navigator imports it.',
      role: 'viewer',
      scope: 'operations:read',
      params,
      query: z.strictObject({
        domain: z.enum(LAYER_DOMAINS).default('enterprise').meta({ description: 'the ATT&CK matrix' }),
      }),
      responses: { 200: navigatorLayer },
    }),
  },
});

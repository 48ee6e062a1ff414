import { z } from 'zod';
import { dataCluster, DEFAULT_DATA_CLUSTER } from '../../activities/values/data-cluster.js';
import { applicationName, sqlName } from '../../activities/values/database-names.js';
import { serviceObjective } from '../../activities/values/service-objective.js';
import { resourceName } from '../../activities/values/resource-name.js';
import { defineEntity, link, links } from '../../src/definition/index.js';
import { noServer, unlessUp } from '../logical-server/rejections.js';
import { SqlApplication } from '../sql-application/definition.js';
import { databaseKey, databaseName, partsOf } from './names.js';
import { unlessAbsent, unlessDeletable, unlessReady, unlessReadyOrAlone } from './rejections.js';
import { deletable, states } from './states.js';

const instance = ['SqlApplication.create', 'SqlApplication.delete'] as const;

/** The source that it is copied from: another database, and the administrator of that. */
const source = z.strictObject({ application: applicationName, name: sqlName, administrator: sqlName });

/** The server in which it is created. It has to have been Ready once. */
const inServer = {
  type: 'LogicalServer',
  key: databaseKey.transform((key) => partsOf(key).server),
  unless: unlessUp,
  absent: noServer,
} as const;

/** A database of a logical server, in an SQL application of its own. S6.4 */
export const LogicalDatabase = defineEntity('LogicalDatabase', {
  description: 'A database in a logical server, in an instance and a data cluster of its own.',
  key: databaseKey,
  properties: z.object({
    /** The name that clients ask for. The key stays when the database is renamed or moved. */
    name: z.string().optional(),
    administrator: z.string().optional(),
    dataCluster: dataCluster.default(DEFAULT_DATA_CLUSTER),
    serviceObjective: serviceObjective.default('S1'),
    source: source.optional(),
    /** How many SQL applications it has had. The next one gets the next number. */
    generation: z.number().int().default(1),
    /** The data cluster of its standby, as its server says. */
    standbyCluster: dataCluster.optional(),
    allowDataLoss: z.boolean().default(false),
    /** The server that is being deleted with it, and need not be told that the database goes. */
    goesWithServer: resourceName.optional(),
    /** When the move began that is under way. */
    moveBegunAt: z.iso.datetime().optional(),
    /** Tells who has approved the last move, in their own words. */
    moveApprovedBy: z.string().optional(),
    /** The target of the last renaming, copy or move. */
    targetName: z.string().optional(),
    targetDataCluster: dataCluster.optional(),
    targetServiceObjective: serviceObjective.optional(),
  }),
  links: {
    server: link('LogicalServer'),
    application: link(SqlApplication),
    standby: link(SqlApplication),
    former: links(SqlApplication),
    targetServer: link('LogicalServer'),
    targetDatabase: link('LogicalDatabase'),
    targetApplication: link(SqlApplication),
  },
  dimensions: {
    logical_database_id: 'key',
    logical_server_id: 'links.server',
    data_cluster_id: 'properties.dataCluster',
    target_data_cluster: 'properties.targetDataCluster',
    target_logical_server: 'links.targetServer',
    target_logical_database_id: 'links.targetDatabase',
  },
  roles: { read: ['reader', 'owner', 'operator'], raise: ['owner', 'operator'], operate: ['operator'] },
  states,
  events: {
    create: {
      params: z.strictObject({
        dataCluster: dataCluster.default(DEFAULT_DATA_CLUSTER),
        serviceObjective: serviceObjective.default('S1'),
      }),
      in: 'Absent',
      otherwise: unlessAbsent,
      needs: inServer,
      budget: '10m',
    },
    createCopy: {
      params: z.strictObject({ dataCluster, serviceObjective, source }),
      in: 'Absent',
      internal: true,
    },
    cancel: { in: ['Attaching', 'Creating', 'AwaitingApproval'], internal: true, busy: 'abort' },
    scale: { params: z.strictObject({ serviceObjective }), in: 'Ready', otherwise: unlessReady, budget: '1m' },
    rename: { params: z.strictObject({ name: databaseName }), in: 'Ready', otherwise: unlessReady, budget: '2m' },
    copyTo: {
      params: z.strictObject({
        server: resourceName.optional(),
        name: databaseName.optional(),
        dataCluster: dataCluster.optional(),
        serviceObjective: serviceObjective.optional(),
      }),
      in: 'Ready',
      otherwise: unlessReady,
      budget: '1h',
      description: 'Creates another database with the same contents. Clients can use the database meanwhile.',
    },
    moveTo: {
      params: z.strictObject({ server: resourceName.optional(), dataCluster: dataCluster.optional() }),
      in: 'Ready',
      otherwise: unlessReady,
      // The approval is awaited for two days at most.
      budget: '50h',
      description: 'Moves it to another server or data cluster. It accepts no clients meanwhile.',
    },
    addStandby: {
      params: z.strictObject({ dataCluster }),
      in: 'Ready',
      otherwise: unlessReady,
      internal: true,
    },
    removeStandby: { in: 'Ready', otherwise: unlessReadyOrAlone, internal: true },
    failover: {
      params: z.strictObject({ allowDataLoss: z.boolean() }),
      in: 'Ready',
      otherwise: unlessReadyOrAlone,
      internal: true,
    },
    delete: {
      in: deletable,
      otherwise: unlessDeletable,
      busy: { AwaitingApproval: 'abort' },
      interrupts: 'cancel',
      budget: '10m',
    },
    deleteWithServer: {
      params: z.strictObject({ server: resourceName }),
      in: deletable,
      otherwise: unlessDeletable,
      busy: { AwaitingApproval: 'abort' },
      interrupts: 'cancel',
      internal: true,
    },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Attaching', raises: [] },
    beginCopied: { on: 'createCopy', in: 'Absent', to: 'Attaching', raises: [] },
    attach: {
      in: 'Attaching',
      to: ['Creating', 'Deleted'],
      raises: ['LogicalServer.attachDatabase'],
    },
    createResources: { in: 'Creating', to: 'Ready', raises: instance },
    cancelCreation: { on: 'cancel', in: ['Attaching', 'Creating'], to: 'Undoing', raises: [] },
    undo: { in: 'Undoing', to: 'Failed', raises: [...instance, 'LogicalServer.detachDatabase'] },

    beginScaling: { on: 'scale', in: 'Ready', to: 'Scaling', raises: [] },
    scale: { in: 'Scaling', to: 'Ready', raises: [] },

    beginRenaming: { on: 'rename', in: 'Ready', to: 'Renaming', raises: [] },
    rename: { in: 'Renaming', to: ['Ready', 'UndoingRename'], raises: ['LogicalServer.renameDatabase'] },
    undoRename: { in: 'UndoingRename', to: 'Ready', raises: ['LogicalServer.restoreDatabaseName'] },

    beginCopying: { on: 'copyTo', in: 'Ready', to: 'Copying', raises: [] },
    copy: { in: 'Copying', to: ['Ready', 'UndoingCopy'], raises: ['LogicalDatabase.createCopy'] },
    undoCopy: { in: 'UndoingCopy', to: 'Ready', raises: ['LogicalDatabase.delete'] },

    beginMoving: { on: 'moveTo', in: 'Ready', to: ['AwaitingApproval', 'Moving'], raises: [] },
    awaitApproval: { in: 'AwaitingApproval', to: ['Moving', 'WithdrawingRequest'], raises: [] },
    withdrawMove: { on: 'cancel', in: 'AwaitingApproval', to: 'WithdrawingRequest', raises: [] },
    withdrawRequest: { in: 'WithdrawingRequest', to: 'Ready', raises: [] },
    move: {
      in: 'Moving',
      to: ['LeavingSource', 'UndoingMove'],
      raises: [...instance, 'SqlApplication.fence', 'LogicalServer.attachDatabase'],
    },
    leaveSource: { in: 'LeavingSource', to: 'Ready', raises: [...instance, 'LogicalServer.detachDatabase'] },
    undoMove: {
      in: 'UndoingMove',
      to: 'Ready',
      raises: [...instance, 'SqlApplication.release', 'LogicalServer.detachDatabase'],
    },

    beginStandby: { on: 'addStandby', in: 'Ready', to: ['AddingStandby', 'Ready'], raises: [] },
    addStandby: { in: 'AddingStandby', to: 'Ready', raises: instance },
    endStandby: { on: 'removeStandby', in: 'Ready', to: 'RemovingStandby', raises: [] },
    removeStandby: { in: 'RemovingStandby', to: 'Ready', raises: instance },
    beginFailover: { on: 'failover', in: 'Ready', to: 'FailingOver', raises: [] },
    failOver: { in: 'FailingOver', to: 'Ready', raises: ['SqlApplication.promote', 'SqlApplication.fence'] },

    beginDeletion: { on: 'delete', in: deletable, to: 'Deleting', raises: [] },
    beginDeletionWithServer: { on: 'deleteWithServer', in: deletable, to: 'Deleting', raises: [] },
    deleteResources: {
      in: 'Deleting',
      to: 'Deleted',
      raises: [...instance, 'LogicalServer.detachDatabase'],
    },
  },
  cancel: 'cancel',
});

/* The C library's side of the speed table: speed-libhdf5 WORKLOAD FOLDER REPEATS VERSION.
 *
 * Prints the nanoseconds of each repeat on one line, and what was read last on the next. Files are deleted outside of what is timed; nothing is synced. */

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define N_ATTRIBUTES 128
#define N_GROUPS 64
#define GRID 512
#define GRID_CHUNK 64
#define ROWS 100000
#define DIM 384
#define ROWS_CHUNK 256
#define ROWS_CHUNK_SMALL 16
#define N_APPENDED 1000

static char path[4096];
static float *vectors;
static double answer;

static void check(int ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

static float *load(const char *folder, const char *name, size_t n) {
    char from[4096];
    float *values = malloc(n * sizeof *values);
    snprintf(from, sizeof from, "%s/%s", folder, name);
    FILE *file = fopen(from, "rb");
    check(file && fread(values, sizeof *values, n, file) == n, from);
    fclose(file);
    return values;
}

static hid_t properties;

static hid_t create(void) {
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, properties);
    check(file >= 0, "create");
    return file;
}

static void write_attributes(void) {
    hid_t file = create(), space = H5Screate(H5S_SCALAR);
    for (long long k = 0; k < N_ATTRIBUTES; k++) {
        char name[32];
        snprintf(name, sizeof name, "attribute %lld", k);
        hid_t attribute = H5Acreate2(file, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
        check(H5Awrite(attribute, H5T_NATIVE_LLONG, &k) >= 0, "write attribute");
        H5Aclose(attribute);
    }
    H5Sclose(space);
    H5Fclose(file);
}

static void create_groups(void) {
    hid_t file = create();
    for (int k = 0; k < N_GROUPS; k++) {
        char name[32];
        snprintf(name, sizeof name, "group %d", k);
        hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        check(group >= 0, "create group");
        H5Gclose(group);
    }
    H5Fclose(file);
}

static void read_attribute(void) {
    long long value = 0;
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, properties);
    hid_t attribute = H5Aopen(file, "attribute 77", H5P_DEFAULT);
    check(H5Aread(attribute, H5T_NATIVE_LLONG, &value) >= 0, "read attribute");
    H5Aclose(attribute);
    H5Fclose(file);
    answer = (double)value;
}

static hid_t dataset(hid_t file, hsize_t rows, hsize_t columns, hsize_t chunk_rows, hsize_t chunk_columns, int filtered,
                     int growing) {
    hsize_t shape[2] = {rows, columns}, chunk[2] = {chunk_rows, chunk_columns};
    hsize_t max[2] = {growing ? H5S_UNLIMITED : rows, columns};
    hid_t space = H5Screate_simple(2, shape, max), creation = H5Pcreate(H5P_DATASET_CREATE);
    if (chunk_rows)
        H5Pset_chunk(creation, 2, chunk);
    if (filtered) {
        H5Pset_shuffle(creation);
        H5Pset_deflate(creation, 6);
    }
    hid_t made = H5Dcreate2(file, "values", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    check(made >= 0, "create dataset");
    H5Pclose(creation);
    H5Sclose(space);
    return made;
}

static void write_all(hsize_t rows, hsize_t columns, hsize_t chunk_rows, hsize_t chunk_columns, int filtered, int growing) {
    hid_t file = create(), made = dataset(file, rows, columns, chunk_rows, chunk_columns, filtered, growing);
    check(H5Dwrite(made, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, vectors) >= 0, "write");
    H5Dclose(made);
    H5Fclose(file);
}

static void write_filtered(void) { write_all(GRID, GRID, GRID_CHUNK, GRID_CHUNK, 1, 0); }
static void write_contiguous(void) { write_all(ROWS, DIM, 0, 0, 0, 0); }
static void write_growing(void) { write_all(ROWS, DIM, ROWS_CHUNK, DIM, 0, 1); }
static void write_growing_small(void) { write_all(ROWS, DIM, ROWS_CHUNK_SMALL, DIM, 0, 1); }

static void empty_growing(void) {
    hid_t file = create();
    H5Dclose(dataset(file, 0, DIM, ROWS_CHUNK, DIM, 0, 1));
    H5Fclose(file);
}

static void append_rows(void) {
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, properties), opened = H5Dopen2(file, "values", H5P_DEFAULT);
    hsize_t one[2] = {1, DIM};
    hid_t row = H5Screate_simple(2, one, NULL);
    for (hsize_t n = 0; n < N_APPENDED; n++) {
        hsize_t shape[2] = {n + 1, DIM}, start[2] = {n, 0};
        check(H5Dset_extent(opened, shape) >= 0, "extend");
        hid_t space = H5Dget_space(opened);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, NULL);
        check(H5Dwrite(opened, H5T_NATIVE_FLOAT, row, space, H5P_DEFAULT, vectors + n * DIM) >= 0, "append");
        H5Sclose(space);
    }
    H5Sclose(row);
    H5Dclose(opened);
    H5Fclose(file);
}

static float *warm;

static void read_contiguous(void) {
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, properties), opened = H5Dopen2(file, "values", H5P_DEFAULT);
    check(H5Dread(opened, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, warm) >= 0, "read");
    H5Dclose(opened);
    H5Fclose(file);
    answer = warm[(size_t)ROWS * DIM - 1];
}

/* Sixteen sums side by side, as a compiler makes of the other side's loop. */
static void sum_all(void) {
    float sums[16] = {0};
    read_contiguous();
    for (size_t k = 0; k < (size_t)ROWS * DIM; k += 16)
        for (int lane = 0; lane < 16; lane++)
            sums[lane] += warm[k + lane];
    answer = 0;
    for (int lane = 0; lane < 16; lane++)
        answer += sums[lane];
}

struct workload {
    const char *name, *values;
    size_t n_values;
    void (*before)(void), (*run)(void);
    int is_read;
};

static const struct workload workloads[] = {
    {"attributes", NULL, 0, NULL, write_attributes, 0},
    {"groups", NULL, 0, NULL, create_groups, 0},
    {"attribute", NULL, 0, NULL, read_attribute, 1},
    {"filtered", "grid.f32", (size_t)GRID * GRID, NULL, write_filtered, 0},
    {"contiguous", "vectors.f32", (size_t)ROWS * DIM, NULL, write_contiguous, 0},
    {"growing", "vectors.f32", (size_t)ROWS * DIM, NULL, write_growing, 0},
    {"growing small", "vectors.f32", (size_t)ROWS * DIM, NULL, write_growing_small, 0},
    {"append", "vectors.f32", (size_t)ROWS * DIM, empty_growing, append_rows, 0},
    {"read", NULL, 0, NULL, read_contiguous, 1},
    {"sum", NULL, 0, NULL, sum_all, 1},
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv) {
    check(argc == 5, "usage: speed-libhdf5 WORKLOAD FOLDER REPEATS earliest|latest");
    properties = H5Pcreate(H5P_FILE_ACCESS);
    if (!strcmp(argv[4], "latest"))
        H5Pset_libver_bounds(properties, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const struct workload *found = NULL;
    for (size_t k = 0; k < sizeof workloads / sizeof *workloads; k++)
        if (!strcmp(workloads[k].name, argv[1]))
            found = &workloads[k];
    check(found != NULL, "no such workload");
    if (found->values)
        vectors = load(argv[2], found->values, found->n_values);
    snprintf(path, sizeof path, "%s/%s.h5", argv[2], found->is_read ? argv[1] : "libhdf5");
    warm = malloc((size_t)ROWS * DIM * sizeof *warm);
    memset(warm, 1, (size_t)ROWS * DIM * sizeof *warm);
    for (int k = 0; k < atoi(argv[3]); k++) {
        if (!found->is_read)
            unlink(path);
        if (found->before)
            found->before();
        double start = now();
        found->run();
        printf("%.0f ", now() - start);
    }
    printf("\n%.17g\n", answer);
    return 0;
}
